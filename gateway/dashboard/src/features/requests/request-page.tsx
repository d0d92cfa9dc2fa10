import type { AccountEvent, RequestLogEntry } from '@swim/sdk';
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { Page, Section, Shown } from '../../design/page.tsx';
import { Code } from '../../design/values/json.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { StatusBadge, Target, Took } from './request-facts.tsx';
import { useRequest, useRequesters } from './requests.ts';

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Facts({ request }: { request: RequestLogEntry }) {
  const { t } = useLanguage();
  const nameOf = useRequesters();
  const id = request.key_id ?? request.user_id;
  return (
    <dl className="facts card">
      <Fact title={t('requests.status')}>
        <StatusBadge status={request.status} />{' '}
        {request.reason && <a href={`/docs/errors#${request.reason}`}>{request.reason}</a>}
      </Fact>
      <Fact title={t('requests.request')}>
        <Target request={request} />
      </Fact>
      <Fact title={t('requests.id')}>
        <code>{request.request_id}</code>
      </Fact>
      <Fact title={t('requests.at')}>
        <Instant at={request.created_at} />
      </Fact>
      <Fact title={t('requests.took')}>
        <Took ms={request.duration_ms} />
      </Fact>
      <Fact title={t('requests.who')}>
        {nameOf(request)} <code className="hint">{id}</code>
      </Fact>
      <Fact title={t('requests.network')}>{request.network}</Fact>
    </dl>
  );
}

function Events({ events }: { events: readonly AccountEvent[] }) {
  const { t } = useLanguage();
  if (events.length === 0) return <p className="hint">{t('requests.noEvents')}</p>;
  return (
    <ul className="plain-list stack-tight">
      {events.map(({ id, type, timestamp }) => (
        <li key={id} className="row">
          <Link href={`/developers/events/${id}`}>
            <code>{type}</code>
          </Link>
          <span className="hint">
            <Instant at={timestamp} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A request: what was answered, by whom it was made, and the events that it caused. */
export default function RequestPage() {
  const { t } = useLanguage();
  const { requestLogId } = useParams<{ requestLogId: string }>();
  const { request, events } = useRequest(requestLogId);
  return (
    <Page title={t('requests.request')} lead={<Link href="/developers/requests">{t('requests.back')}</Link>}>
      <Shown query={request}>
        {(entry) => (
          <>
            <Facts request={entry} />
            <Section title={t('requests.query')} lead={t('requests.noBodies')}>
              {Object.keys(entry.query).length === 0 ? (
                <p className="hint">{t('requests.noQuery')}</p>
              ) : (
                <Code label={t('requests.query')} text={JSON.stringify(entry.query)} />
              )}
            </Section>
            <Section title={t('requests.events')}>
              <Shown query={events}>{(found) => <Events events={found} />}</Shown>
            </Section>
          </>
        )}
      </Shown>
    </Page>
  );
}
