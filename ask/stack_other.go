//go:build !linux

package ask

// threadStack is the least that threads have where their stacks are not known.
const threadStack = 512 << 10

// onFirstThread says whether the calling goroutine runs on the process's first thread. Its
// stack is no smaller here than those of the others.
func onFirstThread() bool { return false }
