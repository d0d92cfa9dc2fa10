import type { Usage, UsageHour, UsageLimits } from '@swim/sdk';
import { useSearchParams } from 'wouter';
import { useKeys } from '../../api/keys.ts';
import { Choice } from '../../design/fields/fields.tsx';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { type Column, Table } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { allOf, KINDS, kindsOf, type Scale, scaleFor, topOf } from './chart-layout.ts';
import { paramsOfUsageView, type UsageView, usageViewOf, useUsage } from './usage.ts';
import { UsageChart } from './usage-chart.tsx';
import './usage.css';

interface FiltersProps {
  readonly view: UsageView;
  readonly onChange: (view: UsageView) => void;
}

function Filters({ view, onChange }: FiltersProps) {
  const { t } = useLanguage();
  const { data: keys = [] } = useKeys();
  return (
    <search className="filters">
      <Choice
        label={t('usage.range')}
        value={view.range}
        onChange={(range) => onChange({ ...view, range })}
        options={[
          { value: 'day', label: t('usage.day') },
          { value: 'week', label: t('usage.week') },
        ]}
      />
      <Choice
        label={t('usage.key')}
        value={view.key}
        onChange={(key) => onChange({ ...view, key })}
        options={[
          { value: '', label: t('usage.allKeys') },
          ...keys.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </search>
  );
}

function Facts({ usage: { hours, totals }, limits }: { usage: Usage; limits: UsageLimits }) {
  const { t, tag } = useLanguage();
  const number = (count: number) => count.toLocaleString(tag);
  const facts = [
    [
      t('usage.thisHour'),
      t('usage.of', { count: number(hours.at(-1)?.requests ?? 0), limit: number(limits.per_hour) }),
    ],
    [t('usage.requests'), number(totals.requests)],
    [t('usage.client_errors'), number(totals.client_errors)],
    [t('usage.server_errors'), number(totals.server_errors)],
    [t('usage.limited'), number(totals.limited)],
  ];
  return (
    <dl className="facts usage-facts card">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="usage-fact">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const columnsOf = ({ t, tag }: Language): Column<UsageHour>[] => [
  { key: 'start', title: t('usage.hour'), cell: ({ start }) => <Instant at={start} /> },
  ...(['requests', 'client_errors', 'server_errors', 'limited'] as const).map((kind) => ({
    key: kind,
    title: t(`usage.${kind}`),
    isNumeric: true,
    cell: (hour: UsageHour) => hour[kind].toLocaleString(tag),
  })),
];

function Legend({ hours, limit }: { hours: readonly UsageHour[]; limit: number | null }) {
  const { t, tag } = useLanguage();
  const shown = KINDS.filter((kind) => hours.some((hour) => kindsOf(hour)[kind] > 0));
  return (
    <ul className="usage-legend plain-list">
      {shown.map((kind) => (
        <li key={kind}>
          <svg width="12" height="12" aria-hidden="true">
            <rect className={`usage-${kind}`} width="12" height="12" rx="2" />
          </svg>
          {t(`usage.${kind}`)}
        </li>
      ))}
      {limit !== null && (
        <li>
          <svg width="24" height="12" aria-hidden="true">
            <line className="usage-limit" x1="0" x2="24" y1="6" y2="6" />
          </svg>
          {t('usage.limitLine', { count: limit.toLocaleString(tag) })}
        </li>
      )}
    </ul>
  );
}

interface HoursProps {
  readonly usage: Usage;
  readonly limits: UsageLimits;
  readonly scale: UsageView['scale'];
  readonly onScale: (scale: Scale) => void;
}

function Hours({ usage: { hours, totals }, limits: { per_hour: limit, per_minute }, scale, onScale }: HoursProps) {
  const language = useLanguage();
  const { t, tag } = language;
  const used = scale || scaleFor(hours, limit);
  const top = topOf(hours, limit, used);
  const number = (count: number) => count.toLocaleString(tag);
  const counts = { count: number(limit), minute: number(per_minute) };
  return (
    <>
      <div className="card">
        <div className="usage-head">
          <Legend hours={hours} limit={limit <= top ? limit : null} />
          <Choice
            label={t('usage.scale')}
            hideLabel
            value={used}
            onChange={onScale}
            options={[
              { value: 'limit', label: t('usage.toLimit') },
              { value: 'peak', label: t('usage.toPeak') },
            ]}
          />
        </div>
        <UsageChart
          hours={hours}
          limit={limit}
          top={top}
          summary={t('usage.summary', {
            ...counts,
            requests: number(totals.requests),
            limited: number(totals.limited),
          })}
        />
        <p className="hint">
          {t('usage.limits', counts)} {limit > top && t('usage.limitAbove')}
        </p>
      </div>
      <details className="usage-table">
        <summary>{t('usage.table')}</summary>
        <Table
          label={t('usage.table')}
          rows={hours.filter((hour) => allOf(hour) > 0).reverse()}
          rowKey={({ start }) => start}
          columns={columnsOf(language)}
        />
      </details>
    </>
  );
}

/** The requests of the account's keys by hour against the limits, with a view that its address keeps. */
export default function UsagePage() {
  const { t } = useLanguage();
  const [params, setParams] = useSearchParams();
  const view = usageViewOf(params);
  const query = useUsage(view);
  const show = (next: UsageView) => setParams(paramsOfUsageView(next), { replace: true });
  return (
    <Page title={t('usage.title')} lead={t('usage.lead')}>
      <Filters view={view} onChange={show} />
      <Shown query={query}>
        {(usage) => {
          const limits = usage.limits;
          return (
            <>
              <Facts usage={usage} limits={limits} />
              {usage.hours.some((hour) => allOf(hour) > 0) ? (
                <Hours usage={usage} limits={limits} scale={view.scale} onScale={(scale) => show({ ...view, scale })} />
              ) : (
                <Empty title={t('usage.emptyTitle')}>{t('usage.empty')}</Empty>
              )}
            </>
          );
        }}
      </Shown>
    </Page>
  );
}
