# Built with cgo (libpg_query, SQLite), linked statically, with the time zones
# inside, so that the image holds the binary and the certificates alone.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=1 go build -trimpath -tags netgo,osusergo,timetzdata,sqlite_omit_load_extension \
      -ldflags "-s -w -linkmode external -extldflags -static -X main.release=${VERSION}" \
      -o /askpg ./cmd/askpg \
 && mkdir /data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /askpg /askpg
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 6432 6433
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["/askpg", "health", "--config", "/etc/askpg/config.toml"]
ENTRYPOINT ["/askpg"]
CMD ["serve", "--config", "/etc/askpg/config.toml"]
