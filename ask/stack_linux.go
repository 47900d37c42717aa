package ask

/*
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

// Threads get a stack of 32 MB, whatever the process was started with (ulimit -s; without a
// limit glibc makes it 2 MB). It runs before the first of them is made. Memory is
// used for what of it is used.
__attribute__((constructor)) static void askpg_set_stack(void) {
	pthread_attr_t attr;
	if (pthread_attr_init(&attr) != 0)
		return;
	if (pthread_attr_setstacksize(&attr, 32 << 20) == 0)
		pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
}

static size_t askpg_stack(void) {
	pthread_attr_t attr;
	size_t size = 0;
	if (pthread_getattr_default_np(&attr) != 0)
		return 0;
	pthread_attr_getstacksize(&attr, &size);
	pthread_attr_destroy(&attr);
	return size;
}
*/
import "C"

import (
	"os"

	"golang.org/x/sys/unix"
)

// threadStack is the size of the stack of every thread but the first.
var threadStack = int(C.askpg_stack())

// onFirstThread says whether the calling goroutine runs on the process's first thread, whose
// stack is of the size that the process was started with.
func onFirstThread() bool { return unix.Gettid() == os.Getpid() }
