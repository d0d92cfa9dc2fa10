import type { UsageHour } from '@swim/sdk';
import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../texts/language.tsx';
import { endOf, isLong, KINDS, kindsOf, labelled, partsOf } from './chart-layout.ts';

const HEIGHT = 220;
const [ABOVE, BELOW, LEFT] = [18, 26, 52];
const LABEL_WIDTH = 64;
/** Share of an hour's width that its bar takes. */
const BAR = 0.76;

/** The width that an element has, in pixels; 0 before it is shown. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** How instants are written below the chart and beside its bars: by the hour, or by the day where there are many. */
function useTimes(areDays: boolean) {
  const { tag } = useLanguage();
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  return {
    mark: (start: string) =>
      new Date(start).toLocaleString(tag, areDays ? { weekday: 'short', day: 'numeric' } : clock),
    span: (start: string) =>
      `${new Date(start).toLocaleString(tag, { day: 'numeric', month: 'short', ...clock })}–${new Date(endOf(start)).toLocaleTimeString(tag, clock)}`,
  };
}

interface ChartProps {
  readonly hours: readonly UsageHour[];
  readonly limit: number;
  /** The upper end of the axis. */
  readonly top: number;
  /** The text alternative of the chart. */
  readonly summary: string;
}

function Bars({ hours, top, width }: Omit<ChartProps, 'limit' | 'summary'> & { width: number }) {
  const { t, tag } = useLanguage();
  const { span } = useTimes(false);
  const hourWidth = width / hours.length;
  const titleOf = (hour: UsageHour) => {
    const counts = kindsOf(hour);
    const lines = KINDS.filter((kind) => counts[kind] > 0).map(
      (kind) => `${t(`usage.${kind}`)}: ${counts[kind].toLocaleString(tag)}`,
    );
    return [span(hour.start), ...(lines.length > 0 ? lines : [t('usage.none')])].join('\n');
  };
  return hours.map((hour, at) => (
    <g key={hour.start} className="usage-bar">
      <title>{titleOf(hour)}</title>
      <rect className="usage-reach" x={at * hourWidth} width={hourWidth} y="0" height={HEIGHT} />
      {partsOf(hour, top, HEIGHT).map(({ kind, y, height }) => (
        <rect
          key={kind}
          className={`usage-${kind}`}
          x={(at + (1 - BAR) / 2) * hourWidth}
          width={hourWidth * BAR}
          y={y}
          height={height}
        />
      ))}
    </g>
  ));
}

function Axes({ hours, top, width }: Omit<ChartProps, 'limit' | 'summary'> & { width: number }) {
  const { tag } = useLanguage();
  const starts = hours.map(({ start }) => start);
  const { mark } = useTimes(isLong(starts));
  const hourWidth = width / hours.length;
  const marked = labelled(starts, width / LABEL_WIDTH, (start) => new Date(start).getHours());
  const lines = [0, top / 2, top];
  return (
    <>
      {lines.map((count) => {
        const y = HEIGHT * (1 - count / top);
        return (
          <g key={count}>
            <line className={count === 0 ? 'usage-foot' : 'usage-grid'} x1="0" x2={width} y1={y} y2={y} />
            <text x="-8" y={y + 4} textAnchor="end">
              {count.toLocaleString(tag, { notation: 'compact' })}
            </text>
          </g>
        );
      })}
      {starts.map(
        (start, at) =>
          marked.has(start) && (
            <text key={start} x={at * hourWidth} y={HEIGHT + 18} textAnchor="middle">
              {mark(start)}
            </text>
          ),
      )}
    </>
  );
}

/** The requests of each hour as a bar of its kinds, and the limit as a line. The table below it says the same. */
export function UsageChart({ hours, limit, top, summary }: ChartProps) {
  const { ref, width } = useWidth();
  const inner = Math.max(0, width - LEFT);
  const limitY = HEIGHT * (1 - limit / top);
  return (
    <div ref={ref} className="usage-chart">
      {inner > 0 && (
        <svg width={width} height={ABOVE + HEIGHT + BELOW} role="img" aria-label={summary}>
          <defs>
            <pattern id="usage-hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect className="usage-hatch-ground" width="4" height="4" />
              <line className="usage-hatch-line" x1="1" x2="1" y1="0" y2="4" />
            </pattern>
          </defs>
          <g transform={`translate(${LEFT} ${ABOVE})`}>
            <Axes hours={hours} top={top} width={inner} />
            <Bars hours={hours} top={top} width={inner} />
            {limit <= top && <line className="usage-limit" x1="0" x2={inner} y1={limitY} y2={limitY} />}
          </g>
        </svg>
      )}
    </div>
  );
}
