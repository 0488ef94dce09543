/*
 * The program itself is killed at every operation on files: `floc run` and `floc resume` with a checkpoint after
 * every step, killed at the n-th operation (kill_shim.c), for all n. After each kill the newest valid file must be
 * of the last step whose file had been flushed, or the one after; and when the run is resumed to its end, its state
 * must be that of an undisturbed run.
 *
 * And a script that draws the same pictures and VTK files again and again: after each kill they are complete.
 *
 * FLOC_KILLS says how many kills go through resume (40 unless given; scripts/test.sh --long makes 10,000); those of
 * the runs that they begin with come besides. FLOC_PROGRAM and FLOC_KILL_SHIM are set by tests/CMakeLists.txt;
 * without a shim (builds with sanitizers) there is nothing to do.
 */
#include "scratch.h"
#include "support.h"

#include "kill_shim.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 6, ANSWER_SIZE = 200, SKIPPED = 77 };

static const char script[] = "local floc = require 'floc'\n"
                             "local sim = floc.simulation { time_step = 0.01, gravity = { 0, -1 } }\n"
                             "sim:add_particle { position = { 0, 1 }, radius = 0.5, velocity = { 0.3, 0 } }\n"
                             "sim:add_particle { position = { 0.4, 2.2 }, radius = 0.5 }\n"
                             "sim:checkpoint { path = 'run.floc', every = 1, keep = 2 }\n"
                             "sim:run { steps = 6 }\n";

/* What a kill may leave behind besides are temporary files. */
static const char pictures[] = "local floc = require 'floc'\n"
                               "local sim = floc.simulation { time_step = 0.01 }\n"
                               "for k = 1, 30 do sim:add_particle { position = { k, 0 }, radius = 0.4 } end\n"
                               "for k = 1, 3 do\n"
                               "  for _, kind in ipairs { 'png', 'svg', 'pdf' } do\n"
                               "    sim:picture { path = 'run.floc.' .. kind, width = 80, height = 80 }\n"
                               "  end\n"
                               "  if k == 1 then sim:write_vtp { path = 'run.floc-vtk', every = 1 } end\n"
                               "  sim:run { steps = 2 }\n"
                               "end\n"
                               "print('step 6, hash ')\n";

static const struct {
  const char *pattern, *end;
} whole_files[] = {{"run.floc.png", "IEND\xae\x42\x60\x82"},
                   {"run.floc.svg", "</svg>\n"},
                   {"run.floc.pdf", "%%EOF\n"},
                   {"run.floc-vtk/*.vtp", "</VTKFile>\n"}};

static char folder[64], log_path[96];
static kill_log *said;

static void put_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void clear_folder(void)
{
  assert_int_equal(system("rm -rf run.floc* out errors"), 0);
}

/* ---- one run ---- */

static _Noreturn void child(const char *command, const char *path, long kill_at)
{
  char at[24];
  snprintf(at, sizeof at, "%ld", kill_at);
  int answer = open("answer", O_WRONLY | O_CREAT | O_TRUNC, 0666),
      errors = open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (answer < 0 || errors < 0 || dup2(answer, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) _exit(99);
  setenv("FLOC_KILL_AT", at, 1);
  setenv("FLOC_KILL_LOG", log_path, 1);
  setenv("LD_PRELOAD", getenv("FLOC_KILL_SHIM"), 1);
  setenv("XDG_STATE_HOME", folder, 1);
  execl(getenv("FLOC_PROGRAM"), "floc", command, path, "--quiet", "--hash", "--threads=1", (char *)NULL);
  _exit(99);
}

/* Whether it came to its end; kill_at 0: it is not killed. */
static bool launch(const char *command, const char *path, long kill_at)
{
  memset(said, 0, sizeof *said);
  pid_t process = fork();
  assert_true(process >= 0);
  if (process == 0) child(command, path, kill_at);
  int status;
  assert_int_equal(waitpid(process, &status, 0), process);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return false;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    (void)!system("cat errors");
    fail_msg("%s %s, to be killed at %ld, ended with %#x", command, path, kill_at, status);
  }
  return true;
}

static bool run(bool resumes, long kill_at)
{
  return resumes ? launch("resume", "run.floc", kill_at) : launch("run", "k.lua", kill_at);
}

static void read_answer(char answer[ANSWER_SIZE])
{
  FILE *file = fopen("answer", "rb");
  assert_non_null(file);
  answer[fread(answer, 1, ANSWER_SIZE - 1, file)] = '\0';
  fclose(file);
  assert_non_null(strstr(answer, "step 6, hash "));
}

/* The step of the newest valid file; 0 if there is none. */
static int64_t newest_step(void)
{
  floc_file *file;
  if (floc_file_open_newest("run.floc", &file, NULL, 0) != FLOC_OK) return 0;
  int64_t counters[8] = {0};
  for (int32_t k = 0; k < floc_file_section_count(file); k++) {
    floc_section_info info = {.struct_size = sizeof info};
    assert_int_equal(floc_file_section(file, k, &info), FLOC_OK);
    if (strcmp(info.name, "world.counters") == 0)
      assert_int_equal(floc_file_read(file, k, counters, sizeof counters), FLOC_OK);
  }
  floc_file_close(file);
  return counters[1];
}

/* ---- the test ---- */

/* What came of all kills so far, of `floc run` and of `floc resume`. */
typedef struct tally {
  long kills[2], ends, by_call[2][KILL_CALLS];
  char expected[ANSWER_SIZE];
} tally;

/* One run that is to be killed at an operation, from the step of the newest file, and what must then be there.
 * Gives the step to continue from; 0: the run came to its end. */
static int64_t killed(tally *all, int64_t step, long kill_at)
{
  bool resumes = step > 0, ended = run(resumes, kill_at);
  int64_t whole = step + said->whole, found = newest_step();
  if (found != whole && found != whole + 1)
    fail_msg("%s killed at call %ld (kind %d): step %ld is found, step %ld was flushed", resumes ? "resume" : "run",
             said->calls, (int)said->last, (long)found, (long)whole);
  if (!ended) {
    all->kills[resumes]++;
    all->by_call[resumes][said->last]++;
    return found;
  }
  char answer[ANSWER_SIZE];
  read_answer(answer);
  assert_string_equal(answer, all->expected);
  all->ends++;
  clear_folder();
  return 0;
}

static void report(const tally *all)
{
  static const char *const names[] = {"run", "resume"};
  for (int k = 0; k < 2; k++)
    print_message(
        "%s: %ld kills; open %ld, write %ld, read %ld, fsync %ld, close %ld, rename %ld, unlink %ld, flock %ld, "
        "ftruncate %ld\n",
        names[k], all->kills[k], all->by_call[k][KILL_OPEN], all->by_call[k][KILL_WRITE],
        all->by_call[k][KILL_READ], all->by_call[k][KILL_FSYNC], all->by_call[k][KILL_CLOSE],
        all->by_call[k][KILL_RENAME], all->by_call[k][KILL_UNLINK], all->by_call[k][KILL_FLOCK],
        all->by_call[k][KILL_FTRUNCATE]);
  print_message("%ld runs to the end\n", all->ends);
}

static void no_kill_loses_a_whole_file(void **state)
{
  (void)state;
  long wanted = getenv("FLOC_KILLS") ? atol(getenv("FLOC_KILLS")) : 40;
  tally all = {0};
  clear_folder();
  assert_true(run(false, 0));
  read_answer(all.expected);
  assert_int_equal(said->whole, STEPS);
  long operations = said->calls, stride = wanted < operations ? 7919 : 1;
  clear_folder();
  int64_t step = 0;
  for (long begun = 0, resumed = 0, turn = 0; all.kills[1] < wanted;) {
    if (step == 0)
      step = killed(&all, 0, 1 + begun++ * stride % operations);
    else if (turn++ % 5 == 4) /* now and then straight to the end */
      step = killed(&all, step, 0);
    else /* a resume has more to read than a run and less to write: what is left over ends it */
      step = killed(&all, step, 1 + resumed++ * stride % (operations + 40));
  }
  report(&all);
}

static void check_end(const char *path, const char *end)
{
  char found[16] = {0};
  size_t length = strlen(end);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  bool read = fseek(file, -(long)length, SEEK_END) == 0 && fread(found, 1, length, file) == length;
  fclose(file);
  if (!read || memcmp(found, end, length) != 0)
    fail_msg("killed at call %ld (kind %d): %s is not whole", said->calls, (int)said->last, path);
}

/* How many of them there are. */
static size_t check_pictures(void)
{
  size_t count = 0;
  for (size_t k = 0; k < sizeof whole_files / sizeof whole_files[0]; k++) {
    glob_t found;
    int failed = glob(whole_files[k].pattern, 0, NULL, &found);
    for (size_t n = 0; failed == 0 && n < found.gl_pathc; n++) check_end(found.gl_pathv[n], whole_files[k].end);
    count += failed == 0 ? found.gl_pathc : 0;
    if (failed == 0) globfree(&found);
  }
  return count;
}

static void no_kill_leaves_half_a_picture(void **state)
{
  (void)state;
  enum { KILLS = 40 };
  put_text("p.lua", pictures);
  clear_folder();
  assert_true(launch("run", "p.lua", 0));
  long operations = said->calls, kills = 0;
  size_t count = check_pictures();
  assert_true(count >= 3 + 7); /* a frame before the first step and one after each */
  assert_true(operations > 100);
  for (long k = 0; k < KILLS; k++) {
    kills += !launch("run", "p.lua", 1 + k * 7919 % operations);
    assert_true(check_pictures() >= 3); /* those of the run before stay until there are others */
  }
  assert_true(kills > KILLS / 2);
  assert_true(launch("run", "p.lua", 0));
  assert_true(check_pictures() == count);
  print_message("%ld kills among %ld operations\n", kills, operations);
}

int main(void)
{
  if (!getenv("FLOC_PROGRAM") || !getenv("FLOC_KILL_SHIM")) return SKIPPED;
  snprintf(folder, sizeof folder, "%s/floc-kills-XXXXXX", scratch_folder());
  if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
  snprintf(log_path, sizeof log_path, "%s/log", folder);
  int descriptor = open(log_path, O_RDWR | O_CREAT, 0600);
  if (descriptor < 0 || ftruncate(descriptor, sizeof *said) != 0) return 1;
  said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (said == MAP_FAILED) return 1;
  put_text("k.lua", script);
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_kill_loses_a_whole_file),
                                     cmocka_unit_test(no_kill_leaves_half_a_picture)};
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  char command[96];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command) != 0 ? 1 : failures;
}
