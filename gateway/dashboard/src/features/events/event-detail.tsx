import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { Shown } from '../../design/page.tsx';
import { Code } from '../../design/values/json.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';

/** One event as it is listed and delivered. */
export function EventDetail({ eventId }: { eventId: string }) {
  const { t } = useLanguage();
  const client = useClient();
  const environment = useEnvironment();
  const query = useQuery({
    queryKey: [environment, 'event', eventId],
    queryFn: ({ signal }) => client.events.get(eventId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className="card stack event-detail" aria-label={t('events.detail')}>
      <Shown query={query}>
        {(event) => (
          <>
            <h2>
              <code>{event.type}</code>
            </h2>
            <dl className="facts">
              <div>
                <dt>{t('events.at')}</dt>
                <dd>
                  <Instant at={event.timestamp} />
                </dd>
              </div>
              <div>
                <dt>{t('events.sequence')}</dt>
                <dd>{event.sequence}</dd>
              </div>
              <div>
                <dt>{t('events.request')}</dt>
                <dd>
                  {event.request ? (
                    <Link href={`/developers/requests?request=${event.request.id}`}>
                      <code>{event.request.id}</code>
                    </Link>
                  ) : (
                    t('events.noRequest')
                  )}
                </dd>
              </div>
            </dl>
            <Code label={t('events.detail')} text={JSON.stringify(event)} />
          </>
        )}
      </Shown>
    </section>
  );
}
