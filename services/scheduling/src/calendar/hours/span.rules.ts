/** A span of real time in epoch milliseconds; the start is inclusive, the end exclusive. */
export interface Span {
  startMs: number;
  endMs: number;
}

/** The same time as ascending spans with a gap between any two, so that every instant counts once. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs);
    else merged.push({ ...span });
  }
  return merged;
}

/** The parts of ascending spans that lie between `fromMs` and `toMs`. */
export function clipSpans(spans: readonly Span[], fromMs: number, toMs: number): Span[] {
  return spans
    .map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, toMs) }))
    .filter(({ startMs, endMs }) => startMs < endMs);
}

/** Those of the candidates (ascending by start, all of one length) that lie wholly inside the merged spans. */
export function keepInside(candidates: readonly Span[], merged: readonly Span[]): Span[] {
  let next = 0;
  return candidates.filter(({ startMs, endMs }) => {
    while (next < merged.length && merged[next]!.endMs < endMs) next += 1;
    return next < merged.length && merged[next]!.startMs <= startMs;
  });
}

/** Those of the candidates (ascending by start, all of one length) that, widened by the margins, overlap no busy span. */
export function keepFree(
  candidates: readonly Span[],
  busy: readonly Span[],
  beforeMs: number,
  afterMs: number,
): Span[] {
  const blocked = mergeSpans(busy);
  let next = 0;
  return candidates.filter(({ startMs, endMs }) => {
    while (next < blocked.length && blocked[next]!.endMs <= startMs - beforeMs) next += 1;
    return next === blocked.length || blocked[next]!.startMs >= endMs + afterMs;
  });
}
