package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is set by the linker: -X main.release=v1.2.3.
var release = ""

func version(_ context.Context, s streams, _ []string) error {
	fmt.Fprintf(s.out, "askpg %s (%s, %s/%s)\n", versionString(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

func versionString() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
