// Command check judges the compose file and the Kubernetes manifests of the
// folder it is given, as their own tools read them: the compose file by
// Docker's loader and schema, the manifests built by kustomize and decoded
// strictly into the types of the Kubernetes API. It is a module of its own, so
// that askpg needs none of these libraries.
//
//	go run -C deploy/check . ..
package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: check FOLDER")
		os.Exit(2)
	}
	if err := errors.Join(compose(filepath.Join(os.Args[1], "compose")), kubernetes(filepath.Join(os.Args[1], "kubernetes"))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// compose loads the compose file with a value for each variable of
// .env.example, and looks whether what it mounts is there.
func compose(dir string) error {
	example, err := os.ReadFile(filepath.Join(dir, ".env.example"))
	if err != nil {
		return err
	}
	var env []string
	for _, line := range strings.Split(string(example), "\n") {
		if name, _, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") {
			env = append(env, name+"=0123456789abcdef")
		}
	}
	options, err := cli.NewProjectOptions([]string{filepath.Join(dir, "compose.yaml")}, cli.WithEnv(env), cli.WithInterpolation(true), cli.WithResolvedPaths(true))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return fmt.Errorf("compose.yaml: %w", err)
	}
	var problems []error
	for name, service := range project.Services {
		for _, v := range service.Volumes {
			if v.Type == "bind" {
				if _, err := os.Stat(v.Source); err != nil {
					problems = append(problems, fmt.Errorf("compose.yaml: service %s mounts what is not there: %w", name, err))
				}
			}
		}
		if !pinned(service.Image) {
			problems = append(problems, fmt.Errorf("compose.yaml: the image of %s has no version: %q", name, service.Image))
		}
		for _, p := range service.Ports {
			if p.HostIP != "127.0.0.1" {
				problems = append(problems, fmt.Errorf("compose.yaml: others reach port %s of %s", p.Published, name))
			}
		}
		if service.Build != nil {
			if _, err := os.Stat(filepath.Join(service.Build.Context, "Dockerfile")); err != nil {
				problems = append(problems, fmt.Errorf("compose.yaml: service %s: %w", name, err))
			}
		}
	}
	fmt.Printf("compose.yaml: %d services\n", len(project.Services))
	return errors.Join(problems...)
}

// pinned says whether an image has a tag that does not move.
func pinned(image string) bool {
	_, tag, ok := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	return ok && tag != "" && tag != "latest"
}

// kubernetes judges each overlay.
func kubernetes(dir string) error {
	overlays, err := filepath.Glob(filepath.Join(dir, "overlays", "*"))
	if err != nil || len(overlays) < 2 {
		return errors.Join(err, fmt.Errorf("%s has %d overlays", dir, len(overlays)))
	}
	var problems []error
	for _, overlay := range overlays {
		if err := rendered(overlay, filepath.Join(dir, "base", "secret.example.yaml")); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", overlay, err))
		}
	}
	return errors.Join(problems...)
}

// rendered builds the manifests of an overlay and decodes each of them, and the
// example of the Secret, into its type; a field that the type does not have is an
// error. Then it looks whether they fit together.
func rendered(dir, secret string) error {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return fmt.Errorf("kustomization.yaml: %w", err)
	}
	example, err := os.ReadFile(secret)
	if err != nil {
		return err
	}
	m := &manifests{secret: &corev1.Secret{}}
	problems := []error{strict("secret.example.yaml", example, m.secret)}
	for _, r := range built.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			return err
		}
		problems = append(problems, strict(r.CurId().String(), text, m.place(r.GetApiVersion(), r.GetKind())))
	}
	fmt.Printf("%s: %d objects and a Secret\n", dir, built.Size())
	return errors.Join(append(problems, m.fit())...)
}

// manifests are the decoded objects.
type manifests struct {
	namespace  corev1.Namespace
	deployment appsv1.Deployment
	services   []*corev1.Service
	config     corev1.ConfigMap
	secret     *corev1.Secret
	budget     policyv1.PodDisruptionBudget
	network    networkingv1.NetworkPolicy
	cert       certificate
}

// certificate is what is used of cert-manager's Certificate (cert-manager.io/v1).
type certificate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		SecretName  string          `json:"secretName"`
		Duration    metav1.Duration `json:"duration"`
		RenewBefore metav1.Duration `json:"renewBefore"`
		PrivateKey  struct {
			Algorithm      string `json:"algorithm"`
			Size           int    `json:"size"`
			RotationPolicy string `json:"rotationPolicy"`
		} `json:"privateKey"`
		Usages    []string `json:"usages"`
		DNSNames  []string `json:"dnsNames"`
		IssuerRef struct {
			Group string `json:"group"`
			Kind  string `json:"kind"`
			Name  string `json:"name"`
		} `json:"issuerRef"`
	} `json:"spec"`
}

// place returns where an object of a kind belongs, nil if there is no such
// place.
func (m *manifests) place(version, kind string) any {
	switch version + " " + kind {
	case "v1 Namespace":
		return &m.namespace
	case "apps/v1 Deployment":
		return &m.deployment
	case "v1 Service":
		m.services = append(m.services, &corev1.Service{})
		return m.services[len(m.services)-1]
	case "v1 ConfigMap":
		return &m.config
	case "policy/v1 PodDisruptionBudget":
		return &m.budget
	case "networking.k8s.io/v1 NetworkPolicy":
		return &m.network
	case "cert-manager.io/v1 Certificate":
		return &m.cert
	}
	return nil
}

func strict(name string, text []byte, into any) error {
	if into == nil {
		return fmt.Errorf("%s: a kind that is not looked for", name)
	}
	if err := yaml.UnmarshalStrict(text, into, yaml.DisallowUnknownFields); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// fit looks whether the objects name each other rightly, and whether the pod
// is as confined as it is meant to be.
func (m *manifests) fit() error {
	pod := &m.deployment.Spec.Template
	if len(pod.Spec.Containers) != 1 {
		return fmt.Errorf("kubernetes: the pod has %d containers", len(pod.Spec.Containers))
	}
	c := &pod.Spec.Containers[0]
	var p problems
	m.selectors(&p, pod.Labels, c)
	probes(&p, c)
	files := m.mounts(&p, pod, c)
	m.settings(&p, c, files)
	confinement(&p, pod, c)
	return errors.Join(append(p, m.reaches(c.Env))...)
}

// problems are what does not fit.
type problems []error

func (p *problems) expect(ok bool, format string, args ...any) {
	if !ok {
		*p = append(*p, fmt.Errorf("kubernetes: "+format, args...))
	}
}

// selectors looks whether everything is for the pod and its ports.
func (m *manifests) selectors(p *problems, labels map[string]string, c *corev1.Container) {
	selects := func(selector map[string]string) bool {
		for k, v := range selector {
			if labels[k] != v {
				return false
			}
		}
		return len(selector) > 0
	}
	p.expect(selects(m.deployment.Spec.Selector.MatchLabels), "the Deployment does not select its own pods")
	p.expect(m.budget.Spec.Selector != nil && selects(m.budget.Spec.Selector.MatchLabels), "the PodDisruptionBudget is for other pods")
	p.expect(selects(m.network.Spec.PodSelector.MatchLabels), "the NetworkPolicy is for other pods")
	for _, s := range m.services {
		p.expect(selects(s.Spec.Selector), "the Service %s is for other pods", s.Name)
		for _, at := range s.Spec.Ports {
			p.expect(hasPort(c, at.TargetPort.StrVal), "the Service %s leads to the port %q, which the pod does not have", s.Name, at.TargetPort.StrVal)
		}
	}
}

func hasPort(c *corev1.Container, name string) bool {
	return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.Name == name })
}

func probes(p *problems, c *corev1.Container) {
	for name, probe := range map[string]*corev1.Probe{"startup": c.StartupProbe, "readiness": c.ReadinessProbe} {
		p.expect(probe != nil && probe.HTTPGet != nil && hasPort(c, probe.HTTPGet.Port.StrVal), "there is no %s probe at a port of the pod", name)
	}
	live := c.LivenessProbe // not at the review page, whose connections may all be taken
	p.expect(live != nil && live.TCPSocket != nil && hasPort(c, live.TCPSocket.Port.StrVal) && live.TCPSocket.Port.StrVal != "admin", "there is no liveness probe at the port of the sessions")
}

// mounts looks whether the pod mounts what is there. It returns the files of the Secret askpg, as the pod has them.
func (m *manifests) mounts(p *problems, pod *corev1.PodTemplateSpec, c *corev1.Container) (files map[string]bool) {
	volumes, files := map[string]bool{}, map[string]bool{}
	tls := ""
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
		switch {
		case v.Secret != nil && v.Secret.SecretName == m.secret.Name:
			for _, item := range v.Secret.Items {
				_, ok := m.secret.StringData[item.Key]
				p.expect(ok, "the pod mounts the key %q, which secret.example.yaml does not have", item.Key)
				files["/etc/askpg/secrets/"+item.Path] = true
			}
		case v.Secret != nil:
			tls = v.Secret.SecretName
		case v.ConfigMap != nil:
			p.expect(v.ConfigMap.Name == m.config.Name, "the volume %s is of the ConfigMap %s, which is not made", v.Name, v.ConfigMap.Name)
		}
	}
	for _, v := range c.VolumeMounts {
		p.expect(volumes[v.Name], "the volume %s is mounted and not there", v.Name)
	}
	if cert := m.cert.Spec; m.cert.Name != "" {
		p.expect(cert.SecretName == tls, "cert-manager writes the Secret %q, and the pod mounts %q", cert.SecretName, tls)
		p.expect(cert.RenewBefore.Duration > 0 && cert.RenewBefore.Duration < cert.Duration.Duration, "the Certificate is not renewed while it lasts")
	}
	return files
}

var (
	secretFile = regexp.MustCompile(`/etc/askpg/secrets/[a-z.-]+`)
	unverified = regexp.MustCompile(`sslmode\W+(disable|allow|prefer|require|verify-ca)`)
)

// settings looks whether the configuration names what the pod has, and verifies the servers.
func (m *manifests) settings(p *problems, c *corev1.Container, files map[string]bool) {
	for _, e := range c.Env {
		if ref := e.ValueFrom; ref != nil && ref.SecretKeyRef != nil {
			_, ok := m.secret.StringData[ref.SecretKeyRef.Key]
			p.expect(ok && ref.SecretKeyRef.Name == m.secret.Name, "%s wants the key %q of the Secret %s, which secret.example.yaml does not have", e.Name, ref.SecretKeyRef.Key, ref.SecretKeyRef.Name)
		}
	}
	for _, text := range []string{m.config.Data["config.toml"], m.secret.StringData["replica-url"], m.secret.StringData["store-url"]} {
		for _, file := range secretFile.FindAllString(text, -1) {
			p.expect(files[file], "nothing mounts %s", file)
		}
		p.expect(!unverified.MatchString(text) && strings.Contains(text, "verify-full"), "a connection to PostgreSQL is not verified: %s", text)
	}
}

// confinement looks at what the pod may do, and at the time that it has to end.
func confinement(p *problems, pod *corev1.PodTemplateSpec, c *corev1.Container) {
	yes := func(b *bool) bool { return b != nil && *b }
	p.expect(pinned(c.Image), "the image %q has no version", c.Image)
	own := pod.Spec.SecurityContext
	p.expect(own != nil && yes(own.RunAsNonRoot) && own.SeccompProfile != nil, "the pod may run as root or without seccomp")
	may := c.SecurityContext
	p.expect(may != nil && yes(may.ReadOnlyRootFilesystem) && may.AllowPrivilegeEscalation != nil && !*may.AllowPrivilegeEscalation &&
		may.Capabilities != nil && slices.Contains(may.Capabilities.Drop, "ALL"), "the container may more than it needs")
	grace := pod.Spec.TerminationGracePeriodSeconds
	p.expect(grace != nil && c.Lifecycle != nil && c.Lifecycle.PreStop != nil && c.Lifecycle.PreStop.Sleep != nil && *grace > c.Lifecycle.PreStop.Sleep.Seconds+300, "the pod's grace period is not longer than its drain")
}

// reaches looks whether the NetworkPolicy lets the pod reach its model: one in the cluster in its namespace, another one anywhere.
func (m *manifests) reaches(env []corev1.EnvVar) error {
	found := regexp.MustCompile(`(?m)^base_url = "([^"]+)"`).FindStringSubmatch(m.config.Data["config.toml"])
	if found == nil {
		return errors.New("config.toml has no [[model]]")
	}
	base := found[1]
	for _, e := range env {
		if e.Name == "ASKPG_MODEL_1_BASE_URL" {
			base = e.Value
		}
	}
	u, err := url.Parse(base)
	if err != nil {
		return err
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	namespace := ""
	if parts := strings.Split(u.Hostname(), "."); len(parts) > 2 && parts[2] == "svc" {
		namespace = parts[1]
	}
	for _, rule := range m.network.Spec.Egress {
		if !slices.ContainsFunc(rule.Ports, func(p networkingv1.NetworkPolicyPort) bool { return p.Port != nil && p.Port.String() == port }) {
			continue
		}
		for _, to := range rule.To {
			if namespace == "" && to.IPBlock != nil || namespace != "" && to.NamespaceSelector != nil && to.NamespaceSelector.MatchLabels["kubernetes.io/metadata.name"] == namespace {
				return nil
			}
		}
	}
	return fmt.Errorf("the NetworkPolicy does not let the pod reach %s", base)
}
