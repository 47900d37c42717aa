//go:build unix && !linux

package pgserver

import "syscall"

// childAttributes returns how the postmaster is forked: under an account and in
// a process group of its own. Only Linux can end it with its parent.
func childAttributes(account *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: account, Setpgid: true}
}
