package main

import (
	"fmt"
	"log/slog"

	"askpg/ask"
)

// plainAttrs are attributes of the log that say where and when, and hold
// nothing of questions or data. All others are redacted.
var plainAttrs = map[string]bool{
	slog.TimeKey: true, slog.LevelKey: true, slog.MessageKey: true, slog.SourceKey: true, // the last is "source"
	"id": true, "client": true, "address": true, "listen": true, "primary": true, "admin": true, "version": true, "database": true,
	"role": true, "login": true, "user": true, "model": true, "stage": true, "strategy": true, "path": true, "file": true, "spill": true,
	"store": true, "section": true, "relation": true, "page": true, "by": true, "verdict": true, "example": true,
}

// wholeAttrs are texts of which nothing is kept.
var wholeAttrs = map[string]bool{"question": true, "hint": true, "sql": true, "text": true, "prompt": true}

// redactAttr is slog's ReplaceAttr for log.redact: numbers, times and what is
// known to be plain stay, questions and SQL go, and of other texts what may be
// data.
func redactAttr(_ []string, a slog.Attr) slog.Attr {
	switch kind := a.Value.Kind(); {
	case wholeAttrs[a.Key]:
		return slog.String(a.Key, "?")
	case plainAttrs[a.Key], kind != slog.KindString && kind != slog.KindAny:
		return a
	case kind == slog.KindString:
		return slog.String(a.Key, ask.RedactText(a.Value.String()))
	default:
		return slog.String(a.Key, ask.RedactText(fmt.Sprint(a.Value.Any())))
	}
}
