package check

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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

// TestCompose loads the compose file with a value for each variable of
// .env.example, and looks whether what it mounts is there.
func TestCompose(t *testing.T) {
	example, err := os.ReadFile("../compose/.env.example")
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	for line := range strings.SplitSeq(string(example), "\n") {
		if name, _, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") {
			env = append(env, name+"=0123456789abcdef")
		}
	}
	options, err := cli.NewProjectOptions([]string{"../compose/compose.yaml"}, cli.WithEnv(env), cli.WithInterpolation(true), cli.WithResolvedPaths(true))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Services) == 0 {
		t.Error("there are no services")
	}
	for name, service := range project.Services {
		for _, v := range service.Volumes {
			if v.Type == "bind" {
				if _, err := os.Stat(v.Source); err != nil {
					t.Errorf("service %s mounts what is not there: %v", name, err)
				}
			}
		}
		if !pinned(service.Image) {
			t.Errorf("the image of %s has no version: %q", name, service.Image)
		}
		for _, p := range service.Ports {
			if p.HostIP != "127.0.0.1" {
				t.Errorf("others reach port %s of %s", p.Published, name)
			}
		}
		if service.Build != nil {
			if _, err := os.Stat(filepath.Join(service.Build.Context, "Dockerfile")); err != nil {
				t.Errorf("service %s: %v", name, err)
			}
		}
	}
}

// pinned says whether an image has a tag that does not move.
func pinned(image string) bool {
	_, tag, ok := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	return ok && tag != "" && tag != "latest"
}

// TestKubernetes builds the manifests of each overlay and decodes each of them, and the
// example of the Secret, into its type; a field that the type does not have is an
// error. Then it looks whether they fit together.
func TestKubernetes(t *testing.T) {
	overlays, err := filepath.Glob("../kubernetes/overlays/*")
	if err != nil || len(overlays) < 2 {
		t.Fatalf("there are %d overlays: %v", len(overlays), err)
	}
	example, err := os.ReadFile("../kubernetes/base/secret.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, overlay := range overlays {
		t.Run(filepath.Base(overlay), func(t *testing.T) {
			built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), overlay)
			if err != nil {
				t.Fatal(err)
			}
			m := &manifests{T: t, secret: &corev1.Secret{}}
			m.decode("secret.example.yaml", example, m.secret)
			for _, r := range built.Resources() {
				text, err := r.AsYAML()
				if err != nil {
					t.Fatal(err)
				}
				m.decode(r.CurId().String(), text, m.place(r.GetApiVersion(), r.GetKind()))
			}
			m.fit()
		})
	}
}

// manifests are the decoded objects.
type manifests struct {
	*testing.T
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

func (m *manifests) decode(name string, text []byte, into any) {
	if into == nil {
		m.Errorf("%s: a kind that is not looked for", name)
	} else if err := yaml.UnmarshalStrict(text, into, yaml.DisallowUnknownFields); err != nil {
		m.Errorf("%s: %v", name, err)
	}
}

// fit looks whether the objects name each other rightly, and whether the pod
// is as confined as it is meant to be.
func (m *manifests) fit() {
	pod := &m.deployment.Spec.Template
	if len(pod.Spec.Containers) != 1 {
		m.Fatalf("the pod has %d containers", len(pod.Spec.Containers))
	}
	c := &pod.Spec.Containers[0]
	m.selectors(pod.Labels, c)
	m.probes(c)
	m.settings(c, m.mounts(pod, c))
	m.confinement(pod, c)
	m.reaches(c.Env)
}

func (m *manifests) expect(ok bool, format string, args ...any) {
	m.Helper()
	if !ok {
		m.Errorf(format, args...)
	}
}

// selectors looks whether everything is for the pod and its ports.
func (m *manifests) selectors(labels map[string]string, c *corev1.Container) {
	selects := func(selector map[string]string) bool {
		for k, v := range selector {
			if labels[k] != v {
				return false
			}
		}
		return len(selector) > 0
	}
	m.expect(selects(m.deployment.Spec.Selector.MatchLabels), "the Deployment does not select its own pods")
	m.expect(m.budget.Spec.Selector != nil && selects(m.budget.Spec.Selector.MatchLabels), "the PodDisruptionBudget is for other pods")
	m.expect(selects(m.network.Spec.PodSelector.MatchLabels), "the NetworkPolicy is for other pods")
	for _, s := range m.services {
		m.expect(selects(s.Spec.Selector), "the Service %s is for other pods", s.Name)
		for _, at := range s.Spec.Ports {
			m.expect(hasPort(c, at.TargetPort.StrVal), "the Service %s leads to the port %q, which the pod does not have", s.Name, at.TargetPort.StrVal)
		}
	}
}

func hasPort(c *corev1.Container, name string) bool {
	return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.Name == name })
}

func (m *manifests) probes(c *corev1.Container) {
	for name, probe := range map[string]*corev1.Probe{"startup": c.StartupProbe, "readiness": c.ReadinessProbe} {
		m.expect(probe != nil && probe.HTTPGet != nil && hasPort(c, probe.HTTPGet.Port.StrVal), "there is no %s probe at a port of the pod", name)
	}
	live := c.LivenessProbe // not at the review page, whose connections may all be taken
	m.expect(live != nil && live.TCPSocket != nil && hasPort(c, live.TCPSocket.Port.StrVal) && live.TCPSocket.Port.StrVal != "admin", "there is no liveness probe at the port of the sessions")
}

// mounts looks whether the pod mounts what is there. It returns the files of the Secret askpg, as the pod has them.
func (m *manifests) mounts(pod *corev1.PodTemplateSpec, c *corev1.Container) (files map[string]bool) {
	volumes, files := map[string]bool{}, map[string]bool{}
	tls := ""
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
		switch {
		case v.Secret != nil && v.Secret.SecretName == m.secret.Name:
			for _, item := range v.Secret.Items {
				_, ok := m.secret.StringData[item.Key]
				m.expect(ok, "the pod mounts the key %q, which secret.example.yaml does not have", item.Key)
				files["/etc/askpg/secrets/"+item.Path] = true
			}
		case v.Secret != nil:
			tls = v.Secret.SecretName
		case v.ConfigMap != nil:
			m.expect(v.ConfigMap.Name == m.config.Name, "the volume %s is of the ConfigMap %s, which is not made", v.Name, v.ConfigMap.Name)
		}
	}
	for _, v := range c.VolumeMounts {
		m.expect(volumes[v.Name], "the volume %s is mounted and not there", v.Name)
	}
	if cert := m.cert.Spec; m.cert.Name != "" {
		m.expect(cert.SecretName == tls, "cert-manager writes the Secret %q, and the pod mounts %q", cert.SecretName, tls)
		m.expect(cert.RenewBefore.Duration > 0 && cert.RenewBefore.Duration < cert.Duration.Duration, "the Certificate is not renewed while it lasts")
	}
	return files
}

var (
	secretFile = regexp.MustCompile(`/etc/askpg/secrets/[a-z.-]+`)
	unverified = regexp.MustCompile(`sslmode\W+(disable|allow|prefer|require|verify-ca)`)
)

// settings looks whether the configuration names what the pod has, and verifies the servers.
func (m *manifests) settings(c *corev1.Container, files map[string]bool) {
	for _, e := range c.Env {
		if ref := e.ValueFrom; ref != nil && ref.SecretKeyRef != nil {
			_, ok := m.secret.StringData[ref.SecretKeyRef.Key]
			m.expect(ok && ref.SecretKeyRef.Name == m.secret.Name, "%s wants the key %q of the Secret %s, which secret.example.yaml does not have", e.Name, ref.SecretKeyRef.Key, ref.SecretKeyRef.Name)
		}
	}
	for _, text := range []string{m.config.Data["config.toml"], m.secret.StringData["replica-url"], m.secret.StringData["store-url"]} {
		for _, file := range secretFile.FindAllString(text, -1) {
			m.expect(files[file], "nothing mounts %s", file)
		}
		m.expect(!unverified.MatchString(text) && strings.Contains(text, "verify-full"), "a connection to PostgreSQL is not verified: %s", text)
	}
}

// confinement looks at what the pod may do, and at the time that it has to end.
func (m *manifests) confinement(pod *corev1.PodTemplateSpec, c *corev1.Container) {
	yes := func(b *bool) bool { return b != nil && *b }
	m.expect(pinned(c.Image), "the image %q has no version", c.Image)
	own := pod.Spec.SecurityContext
	m.expect(own != nil && yes(own.RunAsNonRoot) && own.SeccompProfile != nil, "the pod may run as root or without seccomp")
	may := c.SecurityContext
	m.expect(may != nil && yes(may.ReadOnlyRootFilesystem) && may.AllowPrivilegeEscalation != nil && !*may.AllowPrivilegeEscalation &&
		may.Capabilities != nil && slices.Contains(may.Capabilities.Drop, "ALL"), "the container may more than it needs")
	grace := pod.Spec.TerminationGracePeriodSeconds
	m.expect(grace != nil && c.Lifecycle != nil && c.Lifecycle.PreStop != nil && c.Lifecycle.PreStop.Sleep != nil && *grace > c.Lifecycle.PreStop.Sleep.Seconds+300, "the pod's grace period is not longer than its drain")
}

// reaches looks whether the NetworkPolicy lets the pod reach its model: one in the cluster in its namespace, another one anywhere.
func (m *manifests) reaches(env []corev1.EnvVar) {
	found := regexp.MustCompile(`(?m)^base_url = "([^"]+)"`).FindStringSubmatch(m.config.Data["config.toml"])
	if found == nil {
		m.Fatal("config.toml has no [[model]]")
	}
	base := found[1]
	for _, e := range env {
		if e.Name == "ASKPG_MODEL_1_BASE_URL" {
			base = e.Value
		}
	}
	u, err := url.Parse(base)
	if err != nil {
		m.Fatal(err)
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
				return
			}
		}
	}
	m.Errorf("the NetworkPolicy does not let the pod reach %s", base)
}
