import type { Statement } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { textIn } from '../../api/client.ts';
import { useNow } from '../../api/clock.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { useInstructorChoice } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Choice } from '../../design/fields/fields.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { saveAs } from '../../design/save-as.ts';
import { type Column, Table } from '../../design/tables/table.tsx';
import { money } from '../../design/values/amount.ts';
import { otherZone } from '../../design/values/instant-text.ts';
import { Day } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { Chart } from './chart.tsx';
import { AMOUNTS, hasAny, methodsOf } from './figures.ts';
import { monthsUntil } from './months.ts';
import './statement.css';

type Row = Statement['days'][number];

const MONTHS = 24;

interface AmountProps {
  readonly name: (typeof AMOUNTS)[number];
  readonly of: Row | Statement['totals'];
  readonly currency: string;
}

/** An amount; of what was charged, also by which methods, so that it can be compared with the till and the bank. */
function Amount({ name, of, currency }: AmountProps) {
  const { t, tag } = useLanguage();
  const methods = name === 'charged' ? methodsOf(of) : [];
  return (
    <span className="stack-tight">
      {money(of[`${name}_cents`], currency, tag)}
      {methods.map(({ method, cents }) => (
        <span key={method} className="hint statement-method">
          {t(`collect.method.${method}`)} {money(cents, currency, tag)}
        </span>
      ))}
    </span>
  );
}

const columnsOf = ({ t }: Language, currency: string): Column<Row>[] => [
  { key: 'date', title: t('bookings.date'), cell: ({ date }) => <Day date={date} hasWeekday /> },
  { key: 'lessons', title: t('bookings.lessons'), isNumeric: true, cell: ({ lessons }) => lessons },
  ...AMOUNTS.map((name) => ({
    key: name,
    title: t(`statement.${name}`),
    isNumeric: true,
    cell: (row: Row) => <Amount name={name} of={row} currency={currency} />,
  })),
];

function Totals({ statement: { totals, currency } }: { statement: Statement }) {
  const { t } = useLanguage();
  return (
    <dl className="facts card">
      <div>
        <dt>{t('bookings.lessons')}</dt>
        <dd className="total">{totals.lessons}</dd>
      </div>
      {AMOUNTS.map((name) => (
        <div key={name}>
          <dt>{t(`statement.${name}`)}</dt>
          <dd className="total">
            <Amount name={name} of={totals} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function useCsv(month: string, currency: string) {
  const environment = useEnvironment();
  const { account } = useMe();
  return useMutation({
    mutationFn: () =>
      textIn(environment, `/accounts/${account.id}/statement?month=${month}&currency=${currency}`, 'text/csv'),
    onSuccess: (text) => saveAs(`statement-${month}-${currency}.csv`, text, 'text/csv'),
  });
}

/** The statements of a month in the account's currency and those of its instructors, that of the account first. */
function useStatements(month: string) {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const { data: instructors, error, isPending } = useInstructorChoice();
  const currencies = [...new Set([account.currency, ...(instructors ?? []).map(({ currency }) => currency)])];
  const query = useQuery({
    queryKey: [environment, 'statements', month, currencies],
    enabled: !isPending,
    queryFn: ({ signal }) =>
      Promise.all(
        currencies.map((currency) => client.accounts.getStatement(account.id, { month, currency }, { signal })),
      ),
  });
  return { ...query, error: error ?? query.error, currencies };
}

function Figures({ statement }: { statement: Statement }) {
  const language = useLanguage();
  const { t } = language;
  const days = statement.days.filter(hasAny);
  return (
    <>
      <Totals statement={statement} />
      {days.length === 0 ? (
        <Empty title={t('statement.emptyTitle')}>{t('statement.empty')}</Empty>
      ) : (
        <>
          <div className="card">
            <Chart statement={statement} />
            <p className="hint chart-key">{t('statement.key')}</p>
          </div>
          <Table
            label={t('statement.title')}
            rows={days}
            rowKey={({ date }) => date}
            columns={columnsOf(language, statement.currency)}
          />
        </>
      )}
    </>
  );
}

/** The statement of a school for a month of its time zone. */
export default function StatementPage() {
  const { t, tag } = useLanguage();
  const { timezone } = useMe().account;
  const months = monthsUntil(new Date(useNow()), timezone, MONTHS);
  const [chosenMonth, setMonth] = useState('');
  const month = chosenMonth || months[0]!;
  const [chosen, setCurrency] = useState('');
  const query = useStatements(month);
  // Until another one is chosen, a currency in which something happened.
  const first = query.data?.find(({ days }) => days.some(hasAny)) ?? query.data?.[0];
  const currency = chosen || first?.currency || query.currencies[0]!;
  const statements = query.data?.filter((each) => each.currency === currency);
  const csv = useCsv(month, currency);
  const nameOf = (value: string) =>
    new Date(`${value}-01`).toLocaleDateString(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const download = (
    <Button isPending={csv.isPending} onPress={() => csv.mutate()}>
      {t('statement.download')}
    </Button>
  );
  return (
    <Page title={t('statement.title')} lead={t('statement.lead')} actions={download}>
      <div className="statement-month">
        <Choice
          label={t('statement.month')}
          description={otherZone(timezone)}
          value={month}
          onChange={setMonth}
          options={months.map((value) => ({ value, label: nameOf(value) }))}
        />
        {query.currencies.length > 1 && (
          <Choice
            label={t('signUp.currency')}
            value={currency}
            onChange={setCurrency}
            options={query.currencies.map((value) => ({ value, label: value }))}
          />
        )}
      </div>
      <ErrorNotice error={csv.error} />
      <Shown query={{ ...query, data: statements?.[0] }}>{(statement) => <Figures statement={statement} />}</Shown>
    </Page>
  );
}
