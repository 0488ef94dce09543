/*
 * Movies: frames of one size through ffmpeg, or numbered PNG files where there is none.
 *
 *     picture_movie *movie;
 *     status = picture_movie_open("run.mp4", 1280, 720, 25.0, &movie, message, sizeof message);
 *     ... picture_movie_frame(movie, &options, scenes, 1, message, sizeof message) for each frame ...
 *     status = picture_movie_close(movie, message, sizeof message);
 *
 * ffmpeg runs as a process of its own and is fed through a socket, so that a dead ffmpeg is an error code
 * and no signal. The movie is written under a temporary name and gets its own when it is closed: after a
 * crash there is no half movie that looks complete.
 */
#ifndef FLOC_PICTURE_MOVIE_MOVIE_H
#define FLOC_PICTURE_MOVIE_MOVIE_H

#include "picture.h"

typedef struct picture_movie picture_movie;

/* path ends with .mp4 (H.264), .webm (VP9) or .gif and is made by ffmpeg, or it is a pattern for PNG
 * files with one number in it: "frames/%05d.png" gives frames/00000.png, frames/00001.png, ...
 * width and height: 64 to 16384 pixels; frames_per_second: above 0, at most 1000 (no matter for PNG).
 * FLOC_NOT_FOUND when ffmpeg is not installed; the message reports that and names the alternative. */
floc_status picture_movie_open(const char *path, int32_t width, int32_t height, double frames_per_second,
                               picture_movie **movie, char *message, size_t message_size);

/* Draws the scenes as the next frame; width and height of options are those of the movie, whatever they
 * say, and the background is opaque. When ffmpeg has ended early, FLOC_FILE_ERROR with its own words. */
floc_status picture_movie_frame(picture_movie *movie, const picture_options *options, const picture_scene *scenes,
                                int32_t scene_count, char *message, size_t message_size);

/* Adds a frame that is there already: height rows of width pixels as picture_draw gives them. */
floc_status picture_movie_pixels(picture_movie *movie, const uint32_t *pixels, char *message, size_t message_size);

/* How many frames there are; with `first` >= 0 the next PNG file gets that number instead (after a
 * resume). */
int64_t picture_movie_count(const picture_movie *movie);
floc_status picture_movie_continue(picture_movie *movie, int64_t first, char *message, size_t message_size);

/* Completes the movie and gives it its name; frees the movie, also on failure. NULL is allowed. */
floc_status picture_movie_close(picture_movie *movie, char *message, size_t message_size);

/* Stops ffmpeg and removes what it wrote (PNG files stay); frees the movie. NULL is allowed. */
void picture_movie_abandon(picture_movie *movie);

#endif
