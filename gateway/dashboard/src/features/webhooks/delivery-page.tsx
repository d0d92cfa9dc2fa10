import type { WebhookDeliveryWithRequest } from '@swim/sdk';
import { Link, useParams } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Page, Section, Shown } from '../../design/page.tsx';
import { Code } from '../../design/values/json.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { DeliveryBadge } from './deliveries.tsx';
import { useDelivery, useEndpointActions } from './webhooks.ts';
import './webhooks.css';

type Attempt = WebhookDeliveryWithRequest['attempts'][number];

function AttemptCard({ attempt, number }: { attempt: Attempt; number: number }) {
  const { t } = useLanguage();
  return (
    <li className="card stack-tight">
      <div className="row">
        <strong>{t('webhooks.attempt', { number })}</strong>
        <code>{attempt.status_code ?? attempt.error}</code>
        <span className="hint">
          <Instant at={attempt.at} /> · {attempt.duration_ms} ms
        </span>
      </div>
      {attempt.error && attempt.status_code !== null && <p className="hint">{attempt.error}</p>}
      {attempt.response_body && <Code label={t('webhooks.response')} text={attempt.response_body} />}
    </li>
  );
}

function Sides({ delivery }: { delivery: WebhookDeliveryWithRequest }) {
  const { t } = useLanguage();
  return (
    <div className="delivery-sides">
      <Section title={t('webhooks.request')}>
        {delivery.request_body ? (
          <Code label={t('webhooks.request')} text={delivery.request_body} />
        ) : (
          <p className="hint">{t('webhooks.requestGone')}</p>
        )}
      </Section>
      <Section title={t('webhooks.response')}>
        {delivery.attempts.length === 0 ? (
          <p className="hint">{t('webhooks.noAttempt')}</p>
        ) : (
          <ol className="plain-list stack">
            {delivery.attempts
              .map((attempt, index) => <AttemptCard key={attempt.at} attempt={attempt} number={index + 1} />)
              .reverse()}
          </ol>
        )}
      </Section>
    </div>
  );
}

/** A delivery: what was sent and what was answered, side by side. */
export default function DeliveryPage() {
  const { t } = useLanguage();
  const { endpointId, deliveryId } = useParams<{ endpointId: string; deliveryId: string }>();
  const query = useDelivery(endpointId, deliveryId);
  const canWrite = useScopes()('webhooks:write');
  const { retry } = useEndpointActions(endpointId);
  const action = canWrite && (
    <Button isPending={retry.isPending} onPress={() => retry.mutate(deliveryId)}>
      {t('webhooks.retry')}
    </Button>
  );
  return (
    <Page
      title={query.data?.type ?? t('webhooks.deliveries')}
      lead={<Link href={`/developers/webhooks/${endpointId}`}>{t('webhooks.endpoint')}</Link>}
      actions={action}
    >
      <ErrorNotice error={retry.error} />
      <Shown query={query}>
        {(delivery) => (
          <>
            <div className="row">
              <DeliveryBadge status={delivery.status} />
              <code className="hint">{delivery.event_id}</code>
              {delivery.next_attempt_at && (
                <span className="hint">
                  {t('webhooks.next')} <Instant at={delivery.next_attempt_at} />
                </span>
              )}
            </div>
            <Sides delivery={delivery} />
          </>
        )}
      </Shown>
    </Page>
  );
}
