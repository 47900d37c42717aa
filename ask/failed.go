package ask

import "errors"

// failed is an error that brings along the translation that failed, so that
// the log keeps the candidates and what they cost. Its Translation may lack
// everything but Candidates, Usage and Stages.
type failed struct {
	Err         error
	Translation *Translation
}

func (f *failed) Error() string { return f.Err.Error() }

func (f *failed) Unwrap() error { return f.Err }

// WithTranslation returns an error that carries t, nil if err is nil.
func WithTranslation(err error, t *Translation) error {
	if err == nil {
		return nil
	}
	return &failed{Err: err, Translation: t}
}

// TranslationOf returns the translation that err carries, or nil.
func TranslationOf(err error) *Translation {
	if f, ok := errors.AsType[*failed](err); ok {
		return f.Translation
	}
	return nil
}
