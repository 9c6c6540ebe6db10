// What each stage of recall did to a score, out of the trace of a search.

export interface Trace {
  steps: { stage: string; us: number; in: number; out: number; error?: string }[];
  candidates: { id: number; kind: string; rank: number; scores: number[]; columns: Record<string, number> }[];
}

export interface Part {
  stage: string;
  score: number; // after the stage
  part: number; // by how much the stage changed the score, in powers of e; or, where a score is not positive, their difference
}

/** parts tells how a score came about, a part a stage that changed it. Stages multiply
 * scores, so a part is the logarithm of the ratio, and the parts of a row add up. */
export function parts(steps: Trace["steps"], scores: number[]): Part[] {
  const out: Part[] = [];
  let before: number | undefined;
  steps.forEach((step, i) => {
    const score = scores[i];
    if (score === undefined || !Number.isFinite(score)) return;
    if (before !== undefined && score !== before) {
      const part = score > 0 && before > 0 ? Math.log(score / before) : score - before;
      if (Math.abs(part) > 1e-6) out.push({ stage: step.stage, score, part });
    }
    before = score;
  });
  return out;
}

/** signed writes a part as people read a change. */
export function signed(part: number): string {
  return (part < 0 ? "−" : "+") + Math.abs(part).toFixed(2);
}

/** share writes a score as a part of the best one: how scores compare is what a person can
 * read in them, since their size is that of the stages' products. */
export function share(score: number, best: number): string {
  if (!(best > 0) || !Number.isFinite(score) || !Number.isFinite(best)) return "";
  const percent = (Math.max(0, score) / best) * 100;
  if (percent >= 99.5) return score >= best ? "best score" : "99% of the best";
  return percent < 1 ? "under 1% of the best" : `${percent.toFixed(0)}% of the best`;
}
