package ask

import "errors"

// Failed is an error that brings along the translation that failed, so that
// the log keeps the candidates and what they cost. Its Translation may lack
// everything but Candidates, Usage and Stages.
type Failed struct {
	Err         error
	Translation *Translation
}

func (f *Failed) Error() string { return f.Err.Error() }

func (f *Failed) Unwrap() error { return f.Err }

// WithTranslation returns err as a Failed that carries t, nil if err is nil.
func WithTranslation(err error, t *Translation) error {
	if err == nil {
		return nil
	}
	return &Failed{Err: err, Translation: t}
}

// TranslationOf returns the translation that err carries, or nil.
func TranslationOf(err error) *Translation {
	if f, ok := errors.AsType[*Failed](err); ok {
		return f.Translation
	}
	return nil
}
