package translator

import (
	"fmt"
	"runtime/debug"

	"askpg/ask"
)

// caught returns f so that a panic is its error. A panic in a goroutine that nobody recovers ends the process, and with
// it every session; a fault in one question is to end that question alone.
func caught(f func() error) func() error {
	return func() (err error) {
		defer func() {
			if v := recover(); v != nil {
				err = ask.Errorf(ask.CodeInternal, "the translation broke off").WithHint("The log of askpg says why.").Because(fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
			}
		}()
		return f()
	}
}
