/* Stands between a program and the files under one folder, by LD_PRELOAD.
 *
 * RELIABILITY_ROOT     the folder.
 * RELIABILITY_JOURNAL  what is done to its files and when it was synced, for disk.py to take back
 *                      after a power cut; what was there before is written down first. Optional.
 * RELIABILITY_SIDE     a folder on the same disk for files that lost their name.
 * RELIABILITY_CONTROL  a file of 64-bit numbers that another program changes meanwhile:
 *                      [0] the disk is full, [1] seconds to add to the clock,
 *                      [2] fsync does nothing and says that it did,
 *                      [3] so many acts on files later the power goes: in the middle of a write.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MOST_FILES 65536
#define MAGIC 0x54525a31u
enum { WRITE = 1, TRUNCATE, SYNC, CREATE, UNLINK, RENAME, LINK, FOLDER_SYNC, MKDIR };
enum { FULL, SHIFT, LIES, LAST };

struct record {
    uint32_t magic, kind;
    uint64_t file, offset, size_before;
    uint32_t before, after, first, second;
} __attribute__((packed));

static char root[4096], side[2048];
static size_t root_length;
static int journal = -1;
static uint64_t journal_length, side_names;
static volatile int64_t nothing[8], *control = nothing;
static unsigned char followed[MOST_FILES]; /* 1: journalled, 2: only filled up */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name, ...)                       \
    static type (*real_##name)(__VA_ARGS__);        \
    if (!real_##name) real_##name = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *given = getenv("RELIABILITY_ROOT"), *place;
    if (!given || !realpath(given, root)) return;
    root_length = strlen(root);
    if ((place = getenv("RELIABILITY_SIDE"))) snprintf(side, sizeof side, "%s", place);
    if ((place = getenv("RELIABILITY_JOURNAL"))) {
        journal = syscall(SYS_openat, AT_FDCWD, place, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (journal >= 0) journal_length = syscall(SYS_lseek, journal, 0, SEEK_END);
    }
    if ((place = getenv("RELIABILITY_CONTROL"))) {
        int opened = syscall(SYS_openat, AT_FDCWD, place, O_RDWR | O_CLOEXEC, 0);
        void *page = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
        if (page != MAP_FAILED) control = page;
    }
}

static int is_below(const char *path) {
    return root_length && path && !strncmp(path, root, root_length) &&
           (path[root_length] == '/' || !path[root_length]);
}

static int kind_of(const char *path) {
    size_t length = strlen(path);
    /* The index of the write-ahead log is mapped memory, recreated after a crash. */
    return length > 4 && !strcmp(path + length - 4, "-shm") ? 2 : 1;
}

/* One call to the kernel, so that a kill leaves a whole record or a part of the last one. */
static void note(uint32_t kind, uint64_t file, uint64_t offset, uint64_t size_before,
                 const void *before, size_t before_length, const void *after, size_t after_length,
                 const char *first, const char *second) {
    struct record head = {MAGIC, kind, file, offset, size_before, before_length, after_length,
                          first ? strlen(first) : 0, second ? strlen(second) : 0};
    size_t whole = sizeof head + before_length + after_length + head.first + head.second;
    char *bytes = malloc(whole), *next = bytes;
    if (!bytes) abort();
    memcpy(next, &head, sizeof head), next += sizeof head;
    if (before_length) memcpy(next, before, before_length), next += before_length;
    if (after_length) memcpy(next, after, after_length), next += after_length;
    if (head.first) memcpy(next, first, head.first), next += head.first;
    if (head.second) memcpy(next, second, head.second);
    if (syscall(SYS_write, journal, bytes, whole) != (long)whole) abort();
    journal_length += whole;
    free(bytes);
    if (control[LAST] > 0 && --control[LAST] == 0) kill(getpid(), SIGKILL);
}

static char *bytes_of(int file, uint64_t offset, size_t length) {
    char *bytes = malloc(length ? length : 1), place[64];
    long got = 0;
    if (!bytes) abort();
    if (length) got = syscall(SYS_pread64, file, bytes, length, offset);
    if (got < 0) { /* opened for writing alone */
        snprintf(place, sizeof place, "/proc/self/fd/%d", file);
        int again = syscall(SYS_openat, AT_FDCWD, place, O_RDONLY | O_CLOEXEC, 0);
        got = syscall(SYS_pread64, again, bytes, length, offset);
        syscall(SYS_close, again);
    }
    if (got != (long)length) abort();
    return bytes;
}

static int is_followed(int file) {
    return file >= 0 && file < MOST_FILES ? followed[file] : 0;
}

static ssize_t put(int file, const void *bytes, size_t length, int64_t offset) {
    struct stat about;
    ssize_t done;
    pthread_mutex_lock(&turn);
    syscall(SYS_fstat, file, &about);
    int at_place = offset >= 0;
    if (!at_place) {
        int is_appending = syscall(SYS_fcntl, file, F_GETFL) & O_APPEND;
        offset = is_appending ? about.st_size : syscall(SYS_lseek, file, 0, SEEK_CUR);
    }
    if (control[FULL] && offset + (int64_t)length > about.st_size) {
        pthread_mutex_unlock(&turn);
        errno = ENOSPC;
        return -1;
    }
    if (journal >= 0 && followed[file] == 1 && S_ISREG(about.st_mode)) {
        int64_t ends = offset + (int64_t)length < about.st_size ? offset + (int64_t)length : about.st_size;
        size_t covered = ends > offset ? ends - offset : 0;
        char *before = bytes_of(file, offset, covered);
        note(WRITE, about.st_ino, offset, about.st_size, before, covered, bytes, length, 0, 0);
        free(before);
    }
    done = at_place ? syscall(SYS_pwrite64, file, bytes, length, offset)
                    : syscall(SYS_write, file, bytes, length);
    int error = errno;
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

ssize_t write(int file, const void *bytes, size_t length) {
    REAL(ssize_t, write, int, const void *, size_t);
    return is_followed(file) ? put(file, bytes, length, -1) : real_write(file, bytes, length);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    return is_followed(file) ? put(file, bytes, length, offset) : real_pwrite(file, bytes, length, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    return pwrite(file, bytes, length, offset);
}

static void note_cut(int file, uint64_t length) {
    struct stat about;
    syscall(SYS_fstat, file, &about);
    if (journal < 0 || !S_ISREG(about.st_mode)) return;
    size_t lost = (uint64_t)about.st_size > length ? about.st_size - length : 0;
    char *before = bytes_of(file, length, lost);
    note(TRUNCATE, about.st_ino, length, about.st_size, before, lost, 0, 0, 0, 0);
    free(before);
}

int ftruncate(int file, off_t length) {
    REAL(int, ftruncate, int, off_t);
    if (is_followed(file) != 1) return real_ftruncate(file, length);
    pthread_mutex_lock(&turn);
    note_cut(file, length);
    int done = real_ftruncate(file, length);
    pthread_mutex_unlock(&turn);
    return done;
}

int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }

static int synced(int file, int (*act)(int)) {
    struct stat about;
    char place[64], path[4096];
    ssize_t length;
    if (is_followed(file) != 1) return act(file);
    if (control[LIES]) return 0;
    pthread_mutex_lock(&turn);
    uint64_t begun = journal_length; /* what is done while the disk works is not covered */
    pthread_mutex_unlock(&turn);
    int done = act(file);
    if (done || journal < 0) return done;
    syscall(SYS_fstat, file, &about);
    snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    length = readlink(place, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    pthread_mutex_lock(&turn);
    note(S_ISDIR(about.st_mode) ? FOLDER_SYNC : SYNC, about.st_ino, begun, 0, 0, 0, 0, 0, path, 0);
    pthread_mutex_unlock(&turn);
    return 0;
}

int fsync(int file) {
    REAL(int, fsync, int);
    return synced(file, real_fsync);
}

int fdatasync(int file) {
    REAL(int, fdatasync, int);
    return synced(file, real_fdatasync);
}

static int opened(const char *path, int flags, mode_t mode) {
    if (!is_below(path)) return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    pthread_mutex_lock(&turn);
    int is_new = access(path, F_OK) != 0, kind = kind_of(path), file;
    if (is_new && (flags & O_CREAT) && control[FULL]) {
        pthread_mutex_unlock(&turn);
        errno = ENOSPC;
        return -1;
    }
    if (!is_new && (flags & O_TRUNC) && kind == 1) {
        int before = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
        if (before >= 0) note_cut(before, 0), syscall(SYS_close, before);
    }
    file = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    int error = errno;
    if (file >= 0 && file < MOST_FILES) {
        followed[file] = kind;
        if (is_new && (flags & O_CREAT) && kind == 1 && journal >= 0)
            note(CREATE, 0, 0, 0, 0, 0, 0, 0, path, 0);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return file;
}

#define MODE                                        \
    mode_t mode = 0;                                \
    if (flags & (O_CREAT | O_TMPFILE)) {            \
        va_list more;                               \
        va_start(more, flags);                      \
        mode = va_arg(more, mode_t);                \
        va_end(more);                               \
    }

int open(const char *path, int flags, ...) { MODE return opened(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return opened(path, flags, mode); }

int openat(int folder, const char *path, int flags, ...) {
    MODE
    return path[0] == '/' ? opened(path, flags, mode) : syscall(SYS_openat, folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    MODE
    return path[0] == '/' ? opened(path, flags, mode) : syscall(SYS_openat, folder, path, flags, mode);
}

int close(int file) {
    if (file >= 0 && file < MOST_FILES) followed[file] = 0;
    return syscall(SYS_close, file);
}

/* A name that goes is kept aside, so that it can come back. */
static const char *kept(const char *path, char *place) {
    place[0] = 0;
    if (journal < 0) return place;
    snprintf(place, 4096, "%s/%llu", side, (unsigned long long)++side_names);
    if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, place, 0)) place[0] = 0;
    return place;
}

static int unlinked(const char *path, int (*act)(const char *)) {
    char place[4096];
    if (!is_below(path) || kind_of(path) != 1) return act(path);
    pthread_mutex_lock(&turn);
    kept(path, place);
    int done = act(path), error = errno;
    if (!done && journal >= 0) note(UNLINK, 0, 0, 0, 0, 0, 0, 0, path, place);
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    return unlinked(path, real_unlink);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    char place[4096];
    if (!is_below(to)) return real_rename(from, to);
    pthread_mutex_lock(&turn);
    kept(to, place);
    int done = real_rename(from, to), error = errno;
    if (!done && journal >= 0) note(RENAME, 0, 0, 0, place, strlen(place), 0, 0, from, to);
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

static void note_made(uint32_t kind, const char *path, int done) {
    if (done || journal < 0 || !is_below(path)) return;
    int error = errno;
    pthread_mutex_lock(&turn);
    note(kind, 0, 0, 0, 0, 0, 0, 0, path, 0);
    pthread_mutex_unlock(&turn);
    errno = error;
}

int link(const char *from, const char *to) {
    REAL(int, link, const char *, const char *);
    int done = real_link(from, to);
    note_made(LINK, to, done);
    return done;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    REAL(int, linkat, int, const char *, int, const char *, int);
    int done = real_linkat(from_folder, from, to_folder, to, flags);
    note_made(LINK, to, done);
    return done;
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t);
    if (control[FULL] && is_below(path) && access(path, F_OK)) {
        errno = ENOSPC;
        return -1;
    }
    int done = real_mkdir(path, mode);
    note_made(MKDIR, path, done);
    return done;
}

int clock_gettime(clockid_t kind, struct timespec *now) {
    int done = syscall(SYS_clock_gettime, kind, now);
    if (!done && kind == CLOCK_REALTIME) now->tv_sec += control[SHIFT];
    return done;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now) *now = exact.tv_sec;
    return exact.tv_sec;
}
