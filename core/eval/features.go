package eval

import (
	"reflect"
	"slices"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// unfitted are stages whose feature depends on the scores of the others, so that it is
// no column of a linear model.
var unfitted = []string{"spreading", "blend", "rrf"}

// Features returns what can be fitted of a pipeline: the shares that score_fusion adds
// up, and the weight of each ranking stage with one feature. Weights that are negative
// in the pipeline may be so after the fit.
func Features(p *pipeline.Pipeline) []Feature {
	var out []Feature
	for _, s := range p.Steps() {
		if s.Spec.Folder != "rank" || slices.Contains(unfitted, s.Spec.Name) {
			continue
		}
		if s.Spec.Name == "score_fusion" {
			out = append(out,
				Feature{Key: "stage." + s.Name + ".text", Column: frame.BM25.Name, Share: true},
				Feature{Key: "stage." + s.Name + ".context", Column: frame.Context.Name, Share: true},
				Feature{Key: "stage." + s.Name + ".session_text", Column: frame.SessionText.Name, Share: true})
			continue
		}
		weight, ok := weightOf(s.Spec.NewParams())
		column := featureColumn(s.Spec.Writes)
		if ok && column != "" {
			out = append(out, Feature{Key: "stage." + s.Name + ".weight", Column: column, Negative: weight < 0})
		}
	}
	return out
}

// weightOf returns the parameter called weight.
func weightOf(params any) (float32, bool) {
	v := reflect.ValueOf(params).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			if w, ok := weightOf(v.Field(i).Addr().Interface()); ok {
				return w, true
			}
		}
		if f.Tag.Get("toml") == "weight" && f.Type.Kind() == reflect.Float32 {
			return float32(v.Field(i).Float()), true
		}
	}
	return 0, false
}

// featureColumn is the one column beside the score that a stage writes.
func featureColumn(writes []frame.Column) string {
	for _, c := range writes {
		if c.Kind == frame.KindF32 && c.Name != frame.Score.Name {
			return c.Name
		}
	}
	return ""
}
