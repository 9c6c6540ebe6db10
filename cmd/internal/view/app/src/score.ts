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

/** short writes a score in few characters, whatever its size. */
export function short(score: number): string {
  const a = Math.abs(score);
  if (a !== 0 && (a >= 100000 || a < 0.001)) return score.toExponential(1);
  return a >= 100 ? score.toFixed(0) : a >= 1 ? score.toFixed(2) : score.toFixed(3);
}
