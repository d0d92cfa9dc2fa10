import type { Statement } from '@swim/sdk';
import { money } from '../../design/values/amount.ts';
import { useLanguage } from '../../texts/language.tsx';
import { barsOf } from './months.ts';

const SLOT = 20;
const BAR = 14;
const HEIGHT = 90;
const LABEL = 20;

/** Charges (up) and refunds (down) of each day. The table below has the same numbers. */
export function Chart({ statement }: { statement: Statement }) {
  const { t, tag } = useLanguage();
  const { days, totals, currency } = statement;
  const bars = barsOf(days);
  const summary = t('statement.summary', {
    charged: money(totals.charged_cents, currency, tag),
    refunded: money(totals.refunded_cents, currency, tag),
  });
  return (
    <svg className="chart" viewBox={`0 0 ${days.length * SLOT} ${2 * HEIGHT + LABEL}`} role="img" aria-label={summary}>
      {bars.map(({ date, up, down }, at) => (
        <g key={date}>
          <title>{date}</title>
          <rect className="chart-up" x={at * SLOT + 3} width={BAR} y={HEIGHT * (1 - up)} height={HEIGHT * up} rx="2" />
          <rect className="chart-down" x={at * SLOT + 3} width={BAR} y={HEIGHT} height={HEIGHT * down} rx="2" />
          {at % 5 === 0 && (
            <text x={at * SLOT + SLOT / 2} y={2 * HEIGHT + LABEL - 5} textAnchor="middle">
              {Number(date.slice(8))}
            </text>
          )}
        </g>
      ))}
      <line className="chart-line" x1="0" x2={days.length * SLOT} y1={HEIGHT} y2={HEIGHT} />
    </svg>
  );
}
