package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestDockerfile holds the final image to what docs/security.md says of it: the
// statically linked program and the authorities' certificates on nothing, and
// not root. scripts/image runs it.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string // instructions, with continued lines put together
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
		if line = strings.Join(strings.Fields(line), " "); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	last := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "FROM ") {
			last = i
		}
	}
	build, image := strings.Join(lines[:last], "\n"), lines[last:]
	if image[0] != "FROM scratch" {
		t.Errorf("the image is made %s", image[0])
	}
	for _, flag := range []string{"-trimpath", "netgo", "osusergo", "timetzdata", "sqlite_omit_load_extension", "-extldflags -static"} {
		if !strings.Contains(build, flag) {
			t.Errorf("the program is built without %s", flag)
		}
	}
	may := []string{
		"COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/",
		"COPY --from=build /askpg /askpg",
		"COPY --from=build --chown=65532:65532 /data /data",
	}
	user := ""
	for _, line := range image[1:] {
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "COPY":
			if !slices.Contains(may, line) {
				t.Errorf("the image holds more than the program and the certificates: %s", line)
			}
		case "USER":
			user = rest
		case "VOLUME", "WORKDIR":
			if rest != "/data" {
				t.Errorf("%s: only /data is written to", line)
			}
		case "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD":
		default:
			t.Errorf("%s is not looked for", line)
		}
	}
	if user != "65532:65532" {
		t.Errorf("it runs as %q", user)
	}
}
