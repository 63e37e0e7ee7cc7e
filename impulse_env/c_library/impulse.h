/* libimpulse: the rules of the board game Impulse, as plain C functions.

   The engine's compiled code, without Python. A game is a struct of the caller; the library
   allocates nothing, keeps nothing, and may be called from any threads with different games.

   A function returns 0 or a number that is not negative, or a negative error from
   `enum impulse_error`. After an error nothing was changed. A game must be one that
   `impulse_new_game`, `impulse_resume`, `impulse_determinize` or a copy made: the library does not
   check the bytes of a record. */

#ifndef IMPULSE_H
#define IMPULSE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IMPULSE_LAYOUT 3301662 /* a number that changes with any struct or function below */
#define IMPULSE_MIN_PLAYERS 2
#define IMPULSE_MAX_PLAYERS 6
#define IMPULSE_ACTIONS 180 /* numbers of actions are 0 to 179 */
#define IMPULSE_NOBODY (-1) /* instead of a seat */

/* Bytes of an observation, by the number of players. */
#define IMPULSE_OBSERVATION_2 956
#define IMPULSE_OBSERVATION_3 1150
#define IMPULSE_OBSERVATION_4 1348
#define IMPULSE_OBSERVATION_5 1538
#define IMPULSE_OBSERVATION_6 1740

enum impulse_error {
    IMPULSE_ILLEGAL_ACTION = -1, /* not one of the game's legal actions, or the game is over */
    IMPULSE_BAD_SEAT = -2, /* the game does not have that seat */
    IMPULSE_BAD_SEED = -3, /* a generator's state must not be 0 */
    IMPULSE_BAD_SIZE = -4, /* not the size of the game's observation */
    IMPULSE_HIDDEN = -5, /* a seat's view can be observed and determinized, but not played */
    IMPULSE_FAILED = -6, /* the record is not a possible game; its bytes are now undefined */
    IMPULSE_BAD_PLAYERS = -10, /* the following: an option with a value that is not allowed */
    IMPULSE_BAD_TEAM_SIZE = -11,
    IMPULSE_BAD_START_PLAYER = -12,
    IMPULSE_BAD_TARGET_SCORE = -13,
    IMPULSE_BAD_HAND_LIMIT = -14,
    IMPULSE_BAD_SHIPS = -15,
    IMPULSE_BAD_MAX_TURNS = -16,
    IMPULSE_BAD_MAX_ACTIVATIONS = -17,
    IMPULSE_BAD_AUTO_FORCED = -18,
    IMPULSE_BAD_DRAFT = -19,
    IMPULSE_BAD_RACES = -20
};

enum impulse_status {
    IMPULSE_RUNNING = 0,
    IMPULSE_WON_BY_SCORE = 1,
    IMPULSE_WON_BY_ELIMINATION = 2,
    IMPULSE_TRUNCATED = 3 /* ended after `max_turns` without a winner */
};

/* The options of a game; `impulse_default_options` writes the defaults in brackets. */
typedef struct impulse_options {
    int32_t players; /* 2 to 6 */
    int32_t team_size; /* 0 without teams [0]; 2 with four players; 2 or 3 with six */
    int32_t start_player; /* a seat, or -1: random [-1] */
    int32_t target_score; /* points needed to win, 1 to 100 [20] */
    int32_t hand_limit; /* 6 to 10 [10] */
    int32_t ships; /* of each player, 3 to 12 [12] */
    int32_t max_turns; /* until the game is truncated, 1 to 30000 [300] */
    int32_t max_activations; /* map activations in one turn, 0 to 32 [32] */
    int32_t auto_forced; /* 1: the engine takes decisions with one legal action [1] */
    int32_t draft; /* 1: races are drafted [0] */
    int32_t races[IMPULSE_MAX_PLAYERS]; /* by seat, all different: 0 to 5, or -1: random [-1] */
} impulse_options;

/* One game: equal bytes are equal games. docs/engine.md describes the record; the fields and their
   empty values are those of impulse_env/engine/state.py. */
typedef struct impulse_record {
    uint64_t rng;
    int16_t target_score;
    int16_t max_turns;
    int16_t turn; /* player turns completed */
    int16_t score[6]; /* by seat */
    int16_t points[6][7]; /* the score by source */
    int16_t battle_icons[2];
    int8_t players;
    int8_t teams; /* number of teams; seats of a team have equal seat % teams */
    int8_t hand_limit;
    int8_t ships;
    int8_t max_activations;
    int8_t auto_forced;
    int8_t draft;
    int8_t start_seat;
    int8_t status; /* enum impulse_status */
    int8_t winner; /* the team that has won, or -1 */
    int8_t active; /* the seat whose turn it is */
    int8_t phase;
    int8_t cursor;
    int8_t activations;
    int8_t cell_card[19];
    int8_t cell_face_up[19];
    int8_t transports[6][19];
    int8_t gate_owner[42];
    int8_t gate_ships[42];
    int8_t deck[90];
    int8_t deck_count;
    int8_t discard[80];
    int8_t discard_count;
    int8_t impulse[3][4];
    int8_t impulse_count[3];
    int8_t table[90];
    int8_t table_count;
    int8_t race[6];
    int8_t eliminated[6];
    int8_t ships_on_map[6];
    int8_t hand[6][11];
    int8_t hand_count[6];
    int8_t known[6][11];
    int8_t known_count[6];
    int8_t plan[6][90];
    int8_t plan_count[6];
    int8_t next_plan_count[6];
    int8_t minerals[6][80];
    int8_t gems[6][4];
    int8_t techs[6][2];
    int8_t fleet_count;
    int8_t fleet_from[12];
    int8_t fleet_ships[12];
    int8_t path[36];
    int8_t path_count;
    int8_t battle_gate;
    int8_t battle_seat[2];
    int8_t battle_ships[2];
    int8_t laid[2][11];
    int8_t laid_count[2];
    int8_t stack[52][9];
    int8_t stack_count;
} impulse_record;

/* A game at a decision, or over. Copy it by assignment. Read its fields; only the library writes
   them. Actions are absolute: seats and the map are numbered as on the table. */
typedef struct impulse_game {
    impulse_record record;
    int32_t seat; /* the seat that decides, or IMPULSE_NOBODY if the game is over */
    int32_t count; /* its number of legal actions; 0 if the game is over */
    int16_t actions[IMPULSE_ACTIONS]; /* the first `count`: its legal actions, ascending */
} impulse_game;

/* --- The library --- */

/* Return IMPULSE_LAYOUT of the library's header, and its version: 10203 is 1.2.3. */
int32_t impulse_layout(void);
int32_t impulse_version(void);

/* Return the bytes of a game, of its record, and of an observation. */
int32_t impulse_game_size(void);
int32_t impulse_record_size(void);
int32_t impulse_observation_size(int32_t players);

/* --- Playing --- */

int32_t impulse_default_options(int32_t players, impulse_options *options);

/* Deal a game and go to its first decision. Equal options and seeds give equal games, in Python,
   too. */
int32_t impulse_new_game(const impulse_options *options, uint64_t seed, impulse_game *game);

/* Take the decision with a legal action. Returns the number of legal actions of the next one; 0 if
   the game is over. */
int32_t impulse_step(impulse_game *game, int32_t action);

/* Make a game of its `record`, which the caller has filled with that of a game: list the legal
   actions. */
int32_t impulse_resume(impulse_game *game);

/* For languages that do not read the struct: the seat that decides, the status, the scores of all
   seats (returns their number), and the winners (bit k for seat k, so 0 without a winner). */
int32_t impulse_seat(const impulse_game *game);
int32_t impulse_status(const impulse_game *game);
int32_t impulse_scores(const impulse_game *game, int32_t *scores);
int32_t impulse_winners(const impulse_game *game);

/* Write 1 for every legal action and 0 for all others, IMPULSE_ACTIONS bytes. `own`: 1 in the own
   frame of the seat that decides, 0 absolute. */
int32_t impulse_legal_mask(const impulse_game *game, int32_t own, uint8_t *mask);

/* --- What a seat knows --- */

/* Write the observation of a seat, in its own frame; `size` is that of `impulse_observation_size`.
   It depends only on what the seat knows. */
int32_t impulse_observe(const impulse_game *game, int32_t seat, uint8_t *out, int64_t size);

/* Write the game as a seat sees it, with every hidden field blank. */
int32_t impulse_view(const impulse_game *game, int32_t seat, impulse_game *view);

/* Write a full game, drawn uniformly from those that look the same to a seat; `game` may be a view.
   `seed` is the state of the generator, not 0: of this draw and of the rest of the game. */
int32_t impulse_determinize(const impulse_game *game, int32_t seat, uint64_t seed,
                            impulse_game *drawn);

/* Convert an action to a seat's own frame, where its home is on the left, and back. */
int32_t impulse_to_own(int32_t players, int32_t seat, int32_t action);
int32_t impulse_to_absolute(int32_t players, int32_t seat, int32_t action);

/* --- Many games: arrays of `count` --- */

int32_t impulse_new_games(const impulse_options *options, const uint64_t *seeds, int64_t count,
                          impulse_game *games);

/* Step every game that is not over. With an illegal action no game is stepped, and `wrong` gets the
   index of the first game that has one. */
int32_t impulse_step_games(impulse_game *games, const int32_t *actions, int64_t count,
                           int64_t *wrong);

/* Write a row for each game: the legal actions, and the observation of the seat that decides (zeros
   if the game is over). The games must have equal numbers of players. */
int32_t impulse_legal_masks(const impulse_game *games, int64_t count, int32_t own, uint8_t *masks);
int32_t impulse_observe_games(const impulse_game *games, int64_t count, uint8_t *out,
                              int64_t size);

int32_t impulse_copy(const impulse_game *games, impulse_game *copies, int64_t count);

#ifdef __cplusplus
}
#endif

#endif
