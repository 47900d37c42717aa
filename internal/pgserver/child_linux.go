package pgserver

import "syscall"

// childAttributes returns how the postmaster is forked: under an account, in a
// process group of its own, and with a signal that stops it at once when the
// thread that forked it ends (prctl(2), PR_SET_PDEATHSIG).
func childAttributes(account *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: account, Pdeathsig: syscall.SIGQUIT, Setpgid: true}
}
