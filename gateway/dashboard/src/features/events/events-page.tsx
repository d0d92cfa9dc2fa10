import type { AccountEvent } from '@swim/sdk';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useLiveEvents } from '../../api/live-events.ts';
import { Button } from '../../design/button.tsx';
import { LiveMark } from '../../design/live-mark.tsx';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { Ago } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { EventDetail } from './event-detail.tsx';
import './events.css';

interface EventPage {
  readonly data: AccountEvent[];
  readonly next: string | null;
}

const PAGE = 50;
const EVENTS = 'events';

function useEvents() {
  const client = useClient();
  const environment = useEnvironment();
  return useInfiniteQuery({
    queryKey: [environment, EVENTS],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }): Promise<EventPage> => {
      const query = { limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) };
      const { data, pagination } = await client.events.list(query, { signal });
      return { data, next: pagination.next_cursor };
    },
    getNextPageParam: ({ next }) => next,
  });
}

/** Puts events that happen now before those that were read. */
function usePrepend() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return (event: AccountEvent) =>
    queries.setQueryData<InfiniteData<EventPage, string | null>>([environment, EVENTS], (known) => {
      const [first, ...rest] = known?.pages ?? [];
      if (!known || !first || first.data.some(({ id }) => id === event.id)) return known;
      return { ...known, pages: [{ ...first, data: [event, ...first.data] }, ...rest] };
    });
}

function EventRow({ event, isShown }: { event: AccountEvent; isShown: boolean }) {
  return (
    <li>
      <Link href={`/developers/events/${event.id}`} className="event-row" aria-current={isShown ? 'true' : undefined}>
        <code>{event.type}</code>
        <span className="hint">{event.sequence}</span>
        <span className="hint">
          <Ago at={event.timestamp} />
        </span>
      </Link>
    </li>
  );
}

/** The events of the account, as they happen. */
export default function EventsPage() {
  const { t } = useLanguage();
  const { eventId } = useParams<{ eventId?: string }>();
  const query = useEvents();
  const state = useLiveEvents(usePrepend());
  const events = query.data?.pages.flatMap(({ data }) => data);
  return (
    <Page title={t('events.title')} lead={t('events.lead')} actions={<LiveMark state={state} />}>
      <Shown query={{ ...query, data: events }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t('events.emptyTitle')}>{t('events.empty')}</Empty>
          ) : (
            <div className="event-log">
              <div className="stack-tight">
                <ul className="plain-list event-list">
                  {rows.map((event) => (
                    <EventRow key={event.id} event={event} isShown={event.id === eventId} />
                  ))}
                </ul>
                {query.hasNextPage && (
                  <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                    {t('action.more')}
                  </Button>
                )}
              </div>
              <EventDetail eventId={eventId ?? rows[0]!.id} />
            </div>
          )
        }
      </Shown>
    </Page>
  );
}
