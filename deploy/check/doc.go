// Package check has the tests that judge the compose file and the Kubernetes
// manifests of deploy, as their own tools read them: the compose file by
// Docker's loader and schema, the manifests built by kustomize and decoded
// strictly into the types of the Kubernetes API. It is a module of its own, so
// that askpg needs none of these libraries.
//
//	go test -C deploy/check -count=1 .
package check
