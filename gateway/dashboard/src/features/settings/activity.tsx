import { useInfiniteQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { Button } from '../../design/button.tsx';
import { Empty, Shown } from '../../design/page.tsx';
import { Table } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';

interface Action {
  readonly id: string;
  readonly at: string;
  readonly user_name: string | null;
  readonly action: string;
  readonly object: string | null;
  readonly address_network: string | null;
  readonly environment: 'live' | 'sandbox' | null;
}

/** An action in words; a request as method and path, such as `POST /v1/pools`. */
function Did({ action }: Pick<Action, 'action'>) {
  const { named } = useLanguage();
  return action.includes('/') ? <code>{action}</code> : named('activity.did', action);
}

/** The activity of the users of the account. */
export default function Activity() {
  const { t } = useLanguage();
  const query = useInfiniteQuery({
    queryKey: ['activity'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      dashboardApi.list<Action>(`/activity?limit=50${pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : ''}`),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const rows = query.data?.pages.flatMap(({ data }) => data);
  return (
    <Shown query={{ ...query, data: rows }}>
      {(actions) =>
        actions.length === 0 ? (
          <Empty title={t('activity.empty')} />
        ) : (
          <div className="stack">
            <Table
              label={t('settings.activity')}
              rows={actions}
              rowKey={({ id }) => id}
              columns={[
                { key: 'at', title: t('webhooks.at'), cell: ({ at }) => <Instant at={at} /> },
                { key: 'user', title: t('activity.user'), cell: ({ user_name: name }) => name ?? '–' },
                { key: 'action', title: t('activity.action'), cell: ({ action }) => <Did action={action} /> },
                { key: 'object', title: t('activity.object'), cell: ({ object }) => object && <code>{object}</code> },
                {
                  key: 'environment',
                  title: t('environment.label'),
                  cell: ({ environment }) => environment && t(`environment.${environment}`),
                },
                { key: 'from', title: t('activity.network'), cell: ({ address_network: network }) => network ?? '–' },
              ]}
            />
            {query.hasNextPage && (
              <div>
                <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                  {t('action.more')}
                </Button>
              </div>
            )}
          </div>
        )
      }
    </Shown>
  );
}
