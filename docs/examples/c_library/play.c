/* Plays games of Impulse with libimpulse.

   play FILE            plays recorded games; writes every record to the standard output
   play --bench SECONDS prints the decisions a second of random games on one core

   A line of FILE is a game: its 16 options in the order of `impulse_options`, its seed, the number
   of actions, and the actions, with spaces between them. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "impulse.h"

static int fail(const char *what, int32_t error)
{
    fprintf(stderr, "error: %s%.0" PRId32 "\n", what, error); /* writes nothing for 0 */
    return 1;
}

static int play_recorded(const char *path)
{
    enum { OPTIONS = sizeof(impulse_options) / sizeof(int32_t) };
    impulse_options options;
    int32_t action, *numbers = (int32_t *)&options;
    impulse_game game;
    uint64_t seed, count;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fail("the file cannot be read", 0);
    while (fscanf(file, "%" SCNd32, &numbers[0]) == 1) {
        int found = 1;
        for (int k = 1; k < OPTIONS; k++)
            found += fscanf(file, "%" SCNd32, &numbers[k]) == 1;
        if (found < OPTIONS || fscanf(file, "%" SCNu64 " %" SCNu64, &seed, &count) != 2)
            return fail("an option, the seed or the number of actions is missing", 0);
        int32_t error = impulse_new_game(&options, seed, &game);
        if (error < 0)
            return fail("the options are not allowed: ", error);
        fwrite(&game.record, sizeof game.record, 1, stdout);
        for (uint64_t k = 0; k < count; k++) {
            if (fscanf(file, "%" SCNd32, &action) != 1)
                return fail("an action is missing", 0);
            error = impulse_step(&game, action);
            if (error < 0)
                return fail("an action is refused: ", error);
            fwrite(&game.record, sizeof game.record, 1, stdout);
        }
    }
    return fclose(file);
}

static uint64_t next(uint64_t *state) /* xorshift64 */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int bench(const char *text)
{
    impulse_options options;
    impulse_game game;
    uint64_t random = 7, decisions = 0;
    char *end;
    double seconds = strtod(text, &end), began = now();
    if (*end != '\0' || !(seconds > 0 && seconds <= 1e6))
        return fail("SECONDS must be a number above 0 and at most 1000000", 0);
    impulse_default_options(2, &options);
    while (now() - began < seconds) {
        impulse_new_game(&options, next(&random), &game);
        for (; game.count > 0; decisions++) {
            uint64_t drawn = (next(&random) >> 33) * (uint64_t)game.count >> 31;
            impulse_step(&game, game.actions[drawn]);
        }
    }
    printf("%.0f\n", (double)decisions / (now() - began));
    return 0;
}

int main(int argc, char **argv)
{
    if (impulse_layout() != IMPULSE_LAYOUT)
        return fail("impulse.h and the library are of different versions: ", impulse_layout());
    if (argc == 3 && strcmp(argv[1], "--bench") == 0)
        return bench(argv[2]);
    if (argc == 2)
        return play_recorded(argv[1]);
    return fail("usage: play FILE, or play --bench SECONDS", 0);
}
