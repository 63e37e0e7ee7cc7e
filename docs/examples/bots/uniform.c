/* A bot in C: a random legal action. Build it with `cc -O2 -o uniform uniform.c`.
 *
 * It needs no JSON library: a line begins with its type, and a decision goes on with its id, game,
 * seed and legal actions, in this order. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_a(const char *line, const char *type) {
    size_t length = strlen(type);
    return strncmp(line, "{\"type\":\"", 9) == 0 && strncmp(line + 9, type, length) == 0 &&
           line[9 + length] == '"';
}

static void choose(const char *line) {
    long long id = strtoll(strstr(line, "\"id\":") + 5, NULL, 10);
    unsigned long long seed = strtoull(strstr(line, "\"seed\":") + 7, NULL, 10);
    const char *names = strstr(line, "\"legal\":[") + 9, *end = strchr(names, ']'), *name;
    unsigned count = 1;
    for (name = names; name < end; name++) count += *name == ',';
    name = names;
    for (unsigned skip = seed % count; skip > 0; skip--) name = strchr(name, ',') + 1;
    printf("{\"type\":\"action\",\"id\":%lld,\"action\":%.*s}\n", id, (int)strcspn(name, ",]"), name);
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (is_a(line, "quit")) break;
        if (is_a(line, "hello")) puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"Uniform\",\"ahead\":64}");
        if (is_a(line, "choose")) choose(line);
        fflush(stdout);
    }
    return 0;
}
