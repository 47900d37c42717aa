package scram

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// keysOf derives the keys of a password (RFC 5802, section 3).
func keysOf(password string, salt []byte, iterations int) (client Key, secret *Secret) {
	b, err := pbkdf2.Key(sha256.New, password, salt, iterations, keyLen)
	if err != nil {
		panic(err)
	}
	salted := Key(b)
	client = mac(salted, "Client Key")
	return client, &Secret{Iterations: iterations, Salt: salt, StoredKey: sha256.Sum256(client[:]), ServerKey: mac(salted, "Server Key")}
}

// The example of RFC 7677, section 3.
const (
	rfcFirst  = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
	rfcServer = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
	rfcFinal  = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
	rfcVerify = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
)

func rfcSalt() []byte {
	salt, _ := decode("W22ZaJ0SNY7soEsUEjb6gQ==")
	return salt
}

func TestServer_RFC7677(t *testing.T) {
	key, secret := keysOf("pencil", rfcSalt(), 4096)
	var s Server
	if err := s.First(Mechanism, rfcFirst); err != nil {
		t.Fatal(err)
	}
	s.Challenge(secret, false)
	s.serverFirst, s.nonce = rfcServer, "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
	final, ok, err := s.Final(rfcFinal)
	if final != rfcVerify || !ok || err != nil {
		t.Fatal(final, ok, err)
	}
	if s.ClientKey() != key {
		t.Fatal("the key that was recovered is not the client's")
	}
}

func TestClient_RFC7677(t *testing.T) {
	key, secret := keysOf("pencil", rfcSalt(), 4096)
	var c Client
	c.First()
	c.first = "n=user,r=rOprNGfwEbeRWgbNEkqO"
	c.nonce, c.serverFirst = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0", rfcServer
	if got := c.Final(key); got != rfcFinal {
		t.Fatal(got)
	}
	if err := c.Verify(rfcVerify, secret.ServerKey); err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(rfcVerify, key); err == nil {
		t.Fatal("a server without the secret was believed")
	}
}

// A relay: the client logs in at Server, Client logs in with its key at a
// second Server.
func TestServer_Client(t *testing.T) {
	key, secret := keysOf("secret", []byte("0123456789abcdef"), 10)
	for _, tls := range []bool{false, true} {
		for _, binding := range [][]byte{nil, []byte("a hash")} {
			s := Server{Binding: binding}
			c := Client{Binding: binding, TLS: tls || binding != nil}
			if err := s.First(c.First()); err != nil {
				t.Fatal(err)
			}
			if err := c.Challenge(s.Challenge(secret, false)); err != nil {
				t.Fatal(err)
			}
			if salt, n := c.Salt(); !secret.Matches(salt, n) {
				t.Fatal("the salt is another")
			}
			final, ok, err := s.Final(c.Final(key))
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			if err := c.Verify(final, secret.ServerKey); err != nil || s.ClientKey() != key {
				t.Fatal(err)
			}
		}
	}
}

func TestServer_Refuses(t *testing.T) {
	key, secret := keysOf("secret", []byte("0123456789abcdef"), 10)
	wrong, _ := keysOf("wrong", []byte("0123456789abcdef"), 10)
	for name, play := range map[string]struct {
		client, server []byte
		key            Key
		doomed         bool
		err            string
	}{
		"wrong password":  {key: wrong},
		"doomed":          {key: key, doomed: true},
		"another binding": {client: []byte("one"), server: []byte("two"), key: key, err: "channel binding check failed"},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := Server{Binding: play.server}, Client{Binding: play.client, TLS: play.client != nil}
			if err := s.First(c.First()); err != nil {
				t.Fatal(err)
			}
			if err := c.Challenge(s.Challenge(secret, play.doomed)); err != nil {
				t.Fatal(err)
			}
			final, ok, err := s.Final(c.Final(play.key))
			if ok || final != "" || s.ClientKey() != (Key{}) {
				t.Fatal("it was let in")
			}
			if play.err == "" && err != nil || play.err != "" && (err == nil || !strings.Contains(err.Error(), play.err)) {
				t.Fatal(err)
			}
		})
	}
}

func TestServer_First(t *testing.T) {
	bound := []byte("hash")
	for _, tt := range []struct {
		mechanism, message string
		binding            []byte
		code, text         string
	}{
		{Mechanism, "n,,n=,r=abc", nil, "", ""},
		{Mechanism, "n,,n=,r=abc,x=1,Y=2", nil, "", ""},
		{Mechanism, "y,,n=,r=abc", nil, "", ""},
		{Mechanism, "n,,n=,r=abc", bound, "", ""},
		{MechanismPlus, "p=tls-server-end-point,,n=,r=abc", bound, "", ""},
		{Mechanism, "y,,n=,r=abc", bound, "28000", "channel binding negotiation error"},
		{MechanismPlus, "p=tls-unique,,n=,r=abc", bound, "28000", "unsupported SCRAM channel-binding type"},
		{MechanismPlus, "n,,n=,r=abc", bound, "08P01", "does not include channel binding data"},
		{MechanismPlus, "y,,n=,r=abc", bound, "08P01", "does not include channel binding data"},
		{Mechanism, "p=tls-server-end-point,,n=,r=abc", bound, "08P01", "without channel binding"},
		{MechanismPlus, "p=tls-server-end-point,,n=,r=abc", nil, "08P01", "invalid SASL authentication mechanism"},
		{"SCRAM-SHA-1", "n,,n=,r=abc", nil, "08P01", "invalid SASL authentication mechanism"},
		{Mechanism, "", nil, "08P01", "empty"},
		{Mechanism, "x,,n=,r=abc", nil, "08P01", "Unexpected channel-binding flag"},
		{Mechanism, "n", nil, "08P01", "Comma expected"},
		{Mechanism, "n,a=joe,n=,r=abc", nil, "0A000", "authorization identity"},
		{Mechanism, "n,z,n=,r=abc", nil, "08P01", "Unexpected attribute"},
		{Mechanism, "n,,m=1,n=,r=abc", nil, "0A000", "extension"},
		{Mechanism, "n,,r=abc", nil, "08P01", "Expected attribute"},
		{Mechanism, "n,,n=,", nil, "08P01", "message ends"},
		{Mechanism, "n,,n=,r=", nil, "08P01", "non-printable"},
		{Mechanism, "n,,n=,r=a\x01", nil, "08P01", "non-printable"},
		{Mechanism, "n,,n=,r=\xc3\xa4", nil, "08P01", "non-printable"},
		{Mechanism, "n,,n=,r=abc,1=x", nil, "08P01", "invalid character"},
		{Mechanism, "n,,n=,r=abc,x", nil, "08P01", "Expected character"},
		{Mechanism, "n,,n=,r=abc\x00", nil, "08P01", "length"},
		{Mechanism, "n,,n=,r=" + strings.Repeat("a", MaxMessage), nil, "08P01", "longer"},
	} {
		s := Server{Binding: tt.binding}
		err := s.First(tt.mechanism, tt.message)
		var e *Error
		switch {
		case tt.code == "" && err != nil:
			t.Errorf("%s %q: %v", tt.mechanism, tt.message, err)
		case tt.code != "" && (!errors.As(err, &e) || e.Code != tt.code || !strings.Contains(e.Error(), tt.text)):
			t.Errorf("%s %q: %v; want %s %q", tt.mechanism, tt.message, err, tt.code, tt.text)
		}
	}
}

func TestServer_FinalMalformed(t *testing.T) {
	_, secret := keysOf("secret", []byte("salt"), 1)
	zero := base64.StdEncoding.EncodeToString(make([]byte, keyLen))
	for _, tt := range []struct{ message, text string }{
		{"c=biws,r=NONCE,p=" + zero, ""},
		{"c=biws,r=NONCE,x=1,p=" + zero, ""},
		{"", "empty"},
		{"c=eSws,r=NONCE,p=" + zero, "channel-binding attribute"},
		{"r=NONCE,c=biws,p=" + zero, "Expected attribute"},
		{"c=biws,r=OTHER,p=" + zero, "Nonce does not match"},
		{"c=biws,r=NONCEx,p=" + zero, "Nonce does not match"},
		{"c=biws,r=abc,p=" + zero, "Nonce does not match"},
		{"c=biws,r=NONCE", "message ends"},
		{"c=biws,r=NONCE,p=AAAA", "Malformed proof"},
		{"c=biws,r=NONCE,p=" + zero[1:], "Malformed proof"},
		{"c=biws,r=NONCE,p=!" + zero[1:], "Malformed proof"},
		{"c=biws,r=NONCE,p=" + zero + ",x=1", "Garbage"},
		{"c=biws,r=NONCE,p=" + zero + ",", "Garbage"},
	} {
		var s Server
		if err := s.First(Mechanism, "n,,n=,r=abc"); err != nil {
			t.Fatal(err)
		}
		s.Challenge(secret, false)
		// A nonce of another exchange begins alike and is as long.
		other := "abc" + newNonce()
		_, ok, err := s.Final(strings.NewReplacer("NONCE", s.nonce, "OTHER", other).Replace(tt.message))
		if ok || (err == nil) != (tt.text == "") || err != nil && !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%q: %v, %v; want %q", tt.message, ok, err, tt.text)
		}
	}
}

func TestClient_Challenge(t *testing.T) {
	for _, tt := range []struct {
		message string
		ok      bool
	}{
		{"r=OWNx,s=c2FsdA==,i=4096", true},
		{"r=OWNx,s=c2FsdA==,i=4096,x=y", true},
		{"r=OWN,s=c2FsdA==,i=4096", false},
		{"r=other,s=c2FsdA==,i=4096", false},
		{"r=OWN\x01,s=c2FsdA==,i=4096", false},
		{"r=OWNx,s=,i=4096", false},
		{"r=OWNx,s=!,i=4096", false},
		{"r=OWNx,s=c2FsdA==,i=0", false},
		{"r=OWNx,s=c2FsdA==,i=-1", false},
		{"r=OWNx,s=c2FsdA==,i=99999999999999999999", false},
		{"r=OWNx,s=c2FsdA==", false},
		{"", false},
	} {
		var c Client
		c.First()
		err := c.Challenge(strings.ReplaceAll(tt.message, "OWN", strings.TrimPrefix(c.first, "n=,r=")))
		if (err == nil) != tt.ok {
			t.Errorf("%q: %v", tt.message, err)
		}
	}
}

func TestParseSecret(t *testing.T) {
	_, want := keysOf("secret", []byte("0123456789abcdef"), 4096)
	enc := base64.StdEncoding.EncodeToString
	text := fmt.Sprintf("SCRAM-SHA-256$4096:%s$%s:%s", enc(want.Salt), enc(want.StoredKey[:]), enc(want.ServerKey[:]))
	got, err := ParseSecret(text)
	if err != nil || !got.Matches(want.Salt, 4096) || !hmac.Equal(got.StoredKey[:], want.StoredKey[:]) || got.ServerKey != want.ServerKey {
		t.Fatal(got, err)
	}
	if got.Matches(want.Salt, 4097) || got.Matches([]byte("other"), 4096) {
		t.Fatal("another salt matches")
	}
	for _, bad := range []string{
		"", "md5f4d1c7c2b4b7d9a4f2d0c6b6a9c4e1a2", "secret", "SCRAM-SHA-256$", "SCRAM-SHA-256$4096:c2FsdA==", text[:len(text)-1], text + "A",
		strings.Replace(text, "4096", "0", 1), strings.Replace(text, "4096", "x", 1), strings.Replace(text, enc(want.Salt), "", 1), strings.Replace(text, "$4096", "", 1),
	} {
		if _, err := ParseSecret(bad); !errors.Is(err, errNoSecret) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestMock(t *testing.T) {
	a, b := Mock("ann", []byte("key")), Mock("bob", []byte("key"))
	if again := Mock("ann", []byte("key")); string(again.Salt) != string(a.Salt) || string(a.Salt) == string(b.Salt) || len(a.Salt) != mockSaltLen {
		t.Fatal("a user's salt must be the same every time, and another user's another")
	}
	if other := Mock("ann", []byte("another key")); string(other.Salt) == string(a.Salt) {
		t.Fatal("the salt does not depend on the key")
	}
}

func TestCertificateHash(t *testing.T) {
	for algorithm, size := range map[x509.SignatureAlgorithm]int{
		x509.SHA1WithRSA: 32, x509.SHA256WithRSA: 32, x509.ECDSAWithSHA256: 32, x509.ECDSAWithSHA384: 48, x509.SHA512WithRSA: 64, x509.PureEd25519: 0,
	} {
		if got := CertificateHash(&x509.Certificate{Raw: []byte("x"), SignatureAlgorithm: algorithm}); len(got) != size {
			t.Errorf("%s: %d bytes, want %d", algorithm, len(got), size)
		}
	}
}

// FuzzServer plays any two messages of a client: nothing panics, and nobody
// without the password gets in.
func FuzzServer(f *testing.F) {
	key, secret := keysOf("secret", []byte("0123456789abcdef"), 1)
	f.Add(Mechanism, "n,,n=,r=fyko+d2lbbFgONRv9qkxdawL", "c=biws,r=", false)
	f.Add(Mechanism, "y,,n=,r=fyko+d2lbbFgONRv9qkxdawL", "c=eSws,r=", false)
	f.Add(MechanismPlus, "p=tls-server-end-point,,n=,r=5Rni2Mtn2pqfAKSKnMNE", "c=cD10bHM=,r=", true)
	f.Add(Mechanism, rfcFirst, rfcFinal, false)
	f.Fuzz(func(t *testing.T, mechanism, first, final string, bound bool) {
		var s Server
		if bound {
			s.Binding = []byte("hash")
		}
		if s.First(mechanism, first) != nil {
			return
		}
		if !printable(s.clientNonce) {
			t.Fatalf("nonce %q", s.clientNonce)
		}
		challenge := s.Challenge(secret, false)
		// Whatever passes First, a client that knows the password gets in.
		c := Client{first: s.clientFirst, serverFirst: challenge, nonce: s.nonce}
		without := "c=" + base64.StdEncoding.EncodeToString(append([]byte(s.flag), s.bound()...)) + ",r=" + s.nonce
		stored := Key(sha256.Sum256(key[:]))
		proof := mac(stored, c.first, ",", challenge, ",", without).xor(key)
		if _, ok, err := s.Final(without + ",p=" + base64.StdEncoding.EncodeToString(proof[:])); !ok && len(without) < MaxMessage-60 {
			t.Fatal(err)
		}
		for _, m := range []string{final, final + s.nonce + ",p=" + base64.StdEncoding.EncodeToString(make([]byte, keyLen))} {
			if _, ok, _ := s.Final(m); ok {
				t.Fatalf("%q got in", m)
			}
		}
	})
}

// FuzzClient reads any server: nothing panics, and none without the secret is
// believed.
func FuzzClient(f *testing.F) {
	key, secret := keysOf("secret", []byte("0123456789abcdef"), 1)
	f.Add("x,s=c2FsdA==,i=4096", "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")
	f.Add(",s=,i=", "e=other-error")
	f.Fuzz(func(t *testing.T, rest, final string) {
		var c Client
		c.First()
		if c.Challenge("r="+strings.TrimPrefix(c.first, "n=,r=")+rest) != nil {
			return
		}
		if salt, n := c.Salt(); len(salt) == 0 || n < 1 {
			t.Fatal(salt, n)
		}
		c.Final(key)
		if c.Verify(final, secret.ServerKey) == nil {
			t.Fatalf("%q was believed", final)
		}
	})
}

// FuzzParseSecret checks that what is read as a secret is one.
func FuzzParseSecret(f *testing.F) {
	f.Add("SCRAM-SHA-256$4096:c2FsdA==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSecret(text)
		if err == nil && (s.Iterations < 1 || len(s.Salt) == 0 || !strings.HasPrefix(text, Mechanism+"$")) {
			t.Fatalf("%q: %+v", text, s)
		}
	})
}
