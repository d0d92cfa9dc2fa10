import type { Statement } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { textIn } from '../../api/client.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { money } from '../../design/amount.ts';
import { Button } from '../../design/button.tsx';
import { Choice } from '../../design/fields.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Day } from '../../design/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { Chart } from './chart.tsx';
import { monthsUntil } from './months.ts';
import './statement.css';

type Row = Statement['days'][number];

const AMOUNTS = ['charged', 'refunded', 'fees', 'credits_issued', 'credits_spent'] as const;
const MONTHS = 24;

const hasAny = ({ date: _, ...amounts }: Row): boolean => Object.values(amounts).some((amount) => amount !== 0);

const columnsOf = ({ t, tag }: Language, currency: string): Column<Row>[] => [
  { key: 'date', title: t('bookings.date'), cell: ({ date }) => <Day date={date} hasWeekday /> },
  { key: 'lessons', title: t('bookings.lessons'), isNumeric: true, cell: ({ lessons }) => lessons },
  ...AMOUNTS.map((name) => ({
    key: name,
    title: t(`statement.${name}`),
    isNumeric: true,
    cell: (row: Row) => money(row[`${name}_cents`], currency, tag),
  })),
];

function Totals({ statement: { totals, currency } }: { statement: Statement }) {
  const { t, tag } = useLanguage();
  return (
    <dl className="facts card">
      <div>
        <dt>{t('bookings.lessons')}</dt>
        <dd className="total">{totals.lessons}</dd>
      </div>
      {AMOUNTS.map((name) => (
        <div key={name}>
          <dt>{t(`statement.${name}`)}</dt>
          <dd className="total">{money(totals[`${name}_cents`], currency, tag)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Gives the browser a text to save as a file. */
function saveAs(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

function useCsv(month: string) {
  const environment = useEnvironment();
  const { account } = useMe();
  return useMutation({
    mutationFn: () => textIn(environment, `/accounts/${account.id}/statement?month=${month}`, 'text/csv'),
    onSuccess: (text) => saveAs(`statement-${month}.csv`, text),
  });
}

function useStatement(month: string) {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, 'statement', month],
    queryFn: ({ signal }) => client.accounts.getStatement(account.id, { month }, { signal }),
  });
}

/** What a school earned and gave in a month of its time zone. */
export default function StatementPage() {
  const language = useLanguage();
  const { t, tag } = language;
  const months = monthsUntil(new Date(), useMe().account.timezone, MONTHS);
  const [month, setMonth] = useState(months[0]!);
  const query = useStatement(month);
  const csv = useCsv(month);
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
          value={month}
          onChange={setMonth}
          options={months.map((value) => ({ value, label: nameOf(value) }))}
        />
      </div>
      <ErrorNotice error={csv.error} />
      <Shown query={query}>
        {(statement) => (
          <>
            <Totals statement={statement} />
            {statement.days.some(hasAny) ? (
              <>
                <div className="card">
                  <Chart statement={statement} />
                  <p className="hint chart-key">{t('statement.key')}</p>
                </div>
                <Table
                  label={t('statement.title')}
                  rows={statement.days.filter(hasAny)}
                  rowKey={({ date }) => date}
                  columns={columnsOf(language, statement.currency)}
                />
              </>
            ) : (
              <Empty title={t('statement.emptyTitle')}>{t('statement.empty')}</Empty>
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}
