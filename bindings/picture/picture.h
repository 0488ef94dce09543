/*
 * Pictures of particles, 2-D and 3-D, drawn by Cairo into PNG, SVG or PDF files, without a screen.
 *
 * Everything here works on plain data: arrays of numbers, shapes in world coordinates, strings. It knows
 * no world and no Lua, so that a program, a test or a script can draw whatever it has. libfloc itself
 * links no Cairo; this folder links no libfloc (only the types of floc.h are used).
 *
 * How to use it
 *     picture_scene scene;
 *     picture_scene_init(&scene);               // then set dimension, arrays, what to show
 *     picture_options options;
 *     picture_options_init(&options);           // then set size, caption, ...
 *     char message[PICTURE_MESSAGE_SIZE];
 *     status = picture_write("run.png", &options, &scene, 1, message, sizeof message);
 *
 * Rules that hold for all of it
 *   - Arrays belong to the caller and are only read during the call. A NULL array means "not given".
 *   - NaN in an option means "automatic". The init functions set every default.
 *   - A position or radius that is not finite is refused with the particle's number (counted from 1). A
 *     NaN in `value` is drawn in grey; infinite values take the colour of the range's end.
 *   - Colours are 0xRRGGBB. PICTURE_AUTOMATIC as colour: chosen by the picture.
 *   - Strings are UTF-8, one line. ^{...} raises and _{...} lowers: "speed [m s^{-1}]". A string too long for
 *     its position is made smaller, then cut with an ellipsis.
 *   - Calls have no state and no globals; they may run on several threads at once.
 *   - On failure nothing is left at `path` that was not there before, and message says what is wrong:
 *     FLOC_INVALID_ARGUMENT (a value or an unknown file name ending), FLOC_NOT_FOUND (no colour map of
 *     that name), FLOC_NOT_A_NUMBER (a position), FLOC_FILE_ERROR, FLOC_OUT_OF_MEMORY.
 */
#ifndef FLOC_PICTURE_H
#define FLOC_PICTURE_H

#include "floc/floc.h"

enum { PICTURE_MESSAGE_SIZE = 512 };
enum { PICTURE_AUTOMATIC = -1 };

/* How numbers become colours, and the legend (colour bar) that explains it. */
/* clang-format off */
typedef struct picture_scale {
  const char *map;           /* Name of a colour map, see picture_map_name; NULL: the default of its use: particles
                                "viridis", tubes "grey", lines "inferno". */
  bool reversed;             /* default false. Takes the map from its other end. */
  bool logarithmic;          /* default false. Colour by the logarithm; values <= 0 are grey. */
  double lower;              /* default NaN. Value at the map's lower end; NaN: from what the window shows (in all
                                panels if shared_scale). The map "diverging" is then symmetric about 0 when the data
                                have both signs. */
  double upper;              /* default NaN. At its upper end. */
  bool legend;               /* default true. Draw the colour bar, where values are given. */
  const char *label;         /* Of the legend: "speed"; NULL: none. */
  const char *unit;          /* Written after the label in brackets: "m s^{-1}"; NULL: none. */
} picture_scale;
/* clang-format on */

/* Straight lines between pairs of points: contact tubes, rays, trajectories. */
/* clang-format off */
typedef struct picture_lines {
  int64_t count;             /* >= 0; default 0. Of lines. */
  const double *points;      /* 6 per line: x, y, z of both ends; z is ignored in 2-D. */
  const double *value;       /* NULL: all in `colour`. */
  picture_scale scale;
  int32_t colour;            /* 0xRRGGBB; default automatic. Without value. */
  double width;              /* >= 0; default 0. Of tubes: the diameter [length]; 0: 0.6 of the median particle
                                radius. Of lines: in pixels; 0: 1.2. */
  bool arrows;               /* default false. Lines have an arrow head at the second end. */
} picture_lines;
/* clang-format on */

/* A field on a grid of cells, drawn cell by cell under everything else, in 2-D. */
/* clang-format off */
typedef struct picture_field {
  int32_t cells_x;           /* 0 to 1e7; default 0. Of the grid along x; 0: there is no field. */
  int32_t cells_y;           /* 0 to 1e7; default 0. Along y. */
  double lower[3];           /* [length]; default 0, 0, 0. Where the grid begins. */
  double spacing[3];         /* [length]; default 1, 1, 1. Sides of a cell, above 0. */
  const double *value;       /* cells_x times cells_y, x runs fastest. What the scale has no place for (NaN, on a
                                logarithmic one also values <= 0) stays empty. */
  picture_scale scale;
} picture_field;
/* clang-format on */

/* Which part is seen and, in 3-D, from where. */
/* clang-format off */
typedef struct picture_view {
  double lower[3];           /* [length]; default NaN, NaN, NaN. Window, in 2-D x and y; NaN: all bodies and all
                                particles. If single particles are so far off that all others would become dots, the
                                window covers 99 % of them and the picture says how many are outside. In 3-D the box
                                that the picture must show; particles whose centre is outside of a given box are left
                                out. Single components may be NaN. */
  double upper[3];           /* [length]; default NaN, NaN, NaN. Window: upper corner. */
  double direction[3];       /* default -0.45, -0.4, -1. 3-D: the viewing direction; by default from the front, a
                                little from the right and above. */
  double up[3];              /* default 0, 1, 0. 3-D: upwards in the picture; not parallel to direction. */
  double zoom;               /* > 0; default 1. Magnification about the centre. */
} picture_view;

typedef struct picture_scene {
  const char *title;         /* Above the panel; NULL: none. */
  int32_t dimension;         /* 2 to 3; default 2. Of the scene. */
  picture_view view;
  /* particles */
  int64_t particle_count;    /* >= 0; default 0. Number of particles: the length of the arrays that follow. */
  const double *x;           /* [length] */
  const double *y;           /* [length] */
  const double *z;           /* [length]; needed in 3-D, ignored in 2-D. */
  const double *radius;      /* >= 0 [length] */
  const double *value;       /* Colour by scale; NULL: not. */
  picture_scale scale;
  const int32_t *group;      /* Colour by group number from the qualitative list (any number; negative: grey); goes
                                before value; NULL: not. */
  const char *const *group_names; /* For a legend of groups 0 .. group_name_count-1; NULL: no legend. */
  int32_t group_name_count;  /* >= 0; default 0. Length of group_names. */
  const int32_t *colour;     /* Colour of each particle, 0xRRGGBB; goes before group and value where it is not
                                PICTURE_AUTOMATIC; NULL: not. */
  int32_t particle_colour;   /* 0xRRGGBB; default automatic. Of particles without value, group and colour; automatic:
                                blue. */
  double particle_opacity;   /* 0 to 1; default 1. In 2-D and vector files only. Lower it to see tubes. */
  bool outline;              /* default true. Thin dark rim around each particle; left out where particles are
                                smaller than about 2 pixels. */
  /* bodies */
  int64_t shape_count;       /* >= 0; default 0. Length of the arrays. */
  const floc_shape *shapes;  /* In world coordinates, as floc_body_get_shape gives them. */
  const bool *shape_moves;   /* Per shape: one that moves and is far from everything else does not make the automatic
                                window; NULL: none does. */
  const int32_t *shape_colour; /* Per shape, may be PICTURE_AUTOMATIC; NULL: all in body_colour. */
  int32_t body_colour;       /* 0xRRGGBB; default automatic. Automatic: dark grey. */
  double body_opacity;       /* 0 to 1; default 0.28. Of faces in 3-D. */
  /* domain: walls are drawn like bodies, periodic faces dashed, open ones not */
  int32_t boundary[3];       /* floc_boundary; default open. Of each axis. */
  double domain_lower[3];    /* [length]; default 0, 0, 0. Read on axes that are not open. */
  double domain_upper[3];    /* [length]; default 0, 0, 0. Likewise. */
  /* contacts, bonds, forces: drawn over the particles in 2-D; width in [length] */
  picture_lines tubes;
  /* rays, trajectories, axes: drawn over everything in 2-D; width in pixels */
  picture_lines lines;
  bool scale_bar;            /* default true. Bar of a round length at the lower left. */
  const char *length_unit;   /* Written after the scale bar's number: "m"; NULL: none. */
  bool axes;                 /* default true. 3-D: small cross of the three axes at the lower right. */
  const char *note;          /* Small text at the panel's upper left; NULL: none. */
  /* a field on a grid, in 2-D, under everything else */
  picture_field field;
  /* particles that are not round; NULL: all are */
  const int64_t *corner_begin; /* [particle_count + 1] particle k has the corners corner_begin[k] ..
                                corner_begin[k+1]-1; one: a disc or ball of its radius. */
  const double *corners;     /* x, y from the particle's centre, counterclockwise; in 3-D x, y, z of the two ends of
                                a capsule's axis; two in 2-D, or three in 3-D, with a rounding of 0 are the semi-axes
                                of an ellipse or ellipsoid [length] */
  const double *rounding;    /* Of the corners >= 0 [length] */
  const int32_t *plane_count; /* [particle_count] in 3-D: of the faces of a convex body, whose corners are for each
                                face its outward unit normal x, y, z, and behind it, as x, its distance from the
                                centre [length]; 0: none. NULL: of all */
  /* a periodic cell that is skew */
  double domain_offset;      /* [length]; default 0. The image above the domain along the second axis of shear_plane
                                is shifted by this along its first one; the outline is that of the skew cell. */
  int32_t shear_plane;       /* 0 to 5; default 0. floc_shear_plane. Read where domain_offset is not 0. */
} picture_scene;
/* clang-format on */

void picture_scene_init(picture_scene *scene);

/* clang-format off */
typedef struct picture_options {
  int32_t width;             /* 64 to 16384 [pixels]; default 1000. SVG: px, PDF: 1/96 inch. */
  int32_t height;            /* 64 to 16384 [pixels]; default 0. The same; 0: from the shape of what is drawn. */
  double text_size;          /* 0 to 1000 [pixels]; default 0. Of captions and legends; 0: from the size. */
  int32_t background;        /* 0xRRGGBB; default 0xffffff. Text turns white on a dark one. */
  bool transparent;          /* default false. No background at all. */
  int32_t columns;           /* >= 0; default 0. Panels per row; 0: the number that uses the area best. */
  bool shared_scale;         /* default true. Panels share automatic colour ranges, and one legend. */
  const char *title;         /* Above everything; NULL: none. */
  const char *caption_left;  /* Below everything: "step 14226, t = 71.13"; NULL: none. */
  const char *caption_right; /* Below, at the right: file, parameters; NULL: none. */
} picture_options;
/* clang-format on */

void picture_options_init(picture_options *options);

/* Draws scene_count scenes (1 or more; several: a grid of panels, row by row) into a file whose name ends
 * with .png, .svg or .pdf (any case). Written to a temporary file beside it and renamed. message (may be
 * NULL) gets "" or what is wrong. In SVG and PDF more than 20,000 particles per scene are put in as an
 * image; text, bodies and legends stay vectors. */
floc_status picture_write(const char *path, const picture_options *options, const picture_scene *scenes,
                          int32_t scene_count, char *message, size_t message_size);

/* Draws into memory: height rows of width pixels, each 0xAARRGGBB in the machine's byte order, alpha
 * premultiplied. width and height must be those of options (or the automatic height from picture_size). */
floc_status picture_draw(const picture_options *options, const picture_scene *scenes, int32_t scene_count,
                         uint32_t *pixels, int32_t width, int32_t height, char *message, size_t message_size);

/* The size that picture_write and picture_draw use, with the automatic height worked out. */
floc_status picture_size(const picture_options *options, const picture_scene *scenes, int32_t scene_count,
                         int32_t *width, int32_t *height, char *message, size_t message_size);

/* Names of the colour maps, index 0, 1, ...; NULL beyond the last. "viridis", "magma", "inferno", "grey"
 * (dark to light), "diverging" (blue, grey, red). */
const char *picture_map_name(int32_t index);

/* Colour 0xRRGGBB of a map at position 0 to 1; grey for NaN; -1 if there is no such map. */
int32_t picture_map_colour(const char *map, double position);

/* Colour 0xRRGGBB of a group: the qualitative list, then ever new hues; grey for negative numbers. */
int32_t picture_group_colour(int32_t group);

#endif
