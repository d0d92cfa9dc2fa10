import type { RequestLogEntry } from '@swim/sdk';
import { Link, useSearchParams } from 'wouter';
import { useKeys } from '../../api/keys.ts';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { Empty, Page } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { Ago } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { StatusBadge, Target, Took } from './request-facts.tsx';
import {
  paramsOfRequestFilters,
  type RequestFilters,
  requestFiltersOf,
  USERS,
  useRequesters,
  useRequests,
} from './requests.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];
const STATUSES = ['2xx', '4xx', '5xx'] as const;

interface FiltersProps {
  readonly filters: RequestFilters;
  readonly onChange: (filters: RequestFilters) => void;
}

function Filters({ filters, onChange }: FiltersProps) {
  const { t } = useLanguage();
  const { data: keys = [] } = useKeys();
  const all = { value: '', label: t('requests.all') };
  const change = (name: keyof RequestFilters) => (value: string) => onChange({ ...filters, [name]: value });
  return (
    <search className="filters">
      <Choice
        label={t('requests.status')}
        value={filters.status}
        onChange={change('status')}
        options={[all, ...STATUSES.map((value) => ({ value, label: t(`requests.status.${value}`) }))]}
      />
      <Choice
        label={t('requests.method')}
        value={filters.method}
        onChange={change('method')}
        options={[all, ...METHODS.map((value) => ({ value, label: value }))]}
      />
      <Choice
        label={t('requests.who')}
        value={filters.key}
        onChange={change('key')}
        options={[
          { value: '', label: t('requests.allKeys') },
          { value: USERS, label: t('requests.users') },
          ...keys.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TextField
        label={t('requests.path')}
        placeholder="/v1/bookings"
        mono
        value={filters.path}
        onChange={change('path')}
      />
      <TextField
        label={t('requests.id')}
        placeholder="req_…"
        mono
        value={filters.request}
        onChange={change('request')}
      />
    </search>
  );
}

const columnsOf = ({ t }: Language, nameOf: (request: RequestLogEntry) => string): Column<RequestLogEntry>[] => [
  { key: 'status', title: t('requests.status'), cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'target',
    title: t('requests.request'),
    cell: (request) => (
      <Link href={`/developers/requests/${request.id}`}>
        <Target request={request} />
      </Link>
    ),
  },
  { key: 'who', title: t('requests.who'), cell: nameOf },
  { key: 'took', title: t('requests.took'), isNumeric: true, cell: ({ duration_ms: ms }) => <Took ms={ms} /> },
  { key: 'at', title: t('requests.at'), cell: ({ created_at: at }) => <Ago at={at} /> },
];

/** The request log of the account. Its filters are in the URL. */
export default function RequestsPage() {
  const language = useLanguage();
  const { t } = language;
  const [params, setParams] = useSearchParams();
  const filters = requestFiltersOf(params);
  const pages = useRequests(filters);
  const nameOf = useRequesters();
  const isFiltered = paramsOfRequestFilters(filters).size > 0;
  const empty = isFiltered ? (
    <Empty
      title={t('requests.noneFound')}
      action={<Button onPress={() => setParams(new URLSearchParams())}>{t('requests.clear')}</Button>}
    />
  ) : (
    <Empty title={t('requests.emptyTitle')}>{t('requests.empty')}</Empty>
  );
  return (
    <Page title={t('requests.title')} lead={t('requests.lead')}>
      <Filters filters={filters} onChange={(next) => setParams(paramsOfRequestFilters(next), { replace: true })} />
      <PagedTable
        label={t('requests.title')}
        pages={pages}
        empty={empty}
        rowKey={({ id }) => id}
        columns={columnsOf(language, nameOf)}
      />
    </Page>
  );
}
