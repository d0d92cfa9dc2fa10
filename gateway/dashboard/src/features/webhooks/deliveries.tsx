import type { WebhookDelivery } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../design/badge.tsx';
import { Choice } from '../../design/fields/fields.tsx';
import { Empty, Shown } from '../../design/page.tsx';
import { type Column, Table } from '../../design/tables/table.tsx';
import { Ago } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { DELIVERY_STATES, type DeliveryFilter, useDeliveries } from './webhooks.ts';

const TONES = { pending: 'accent', succeeded: 'success', failed: 'danger' } as const;

/** The state of a delivery. */
export function DeliveryBadge({ status }: { status: WebhookDelivery['status'] }) {
  const { named } = useLanguage();
  return <Badge tone={TONES[status]}>{named('webhooks.delivery', status)}</Badge>;
}

const columnsOf = ({ t }: Language, endpointId: string): Column<WebhookDelivery>[] => [
  {
    key: 'type',
    title: t('webhooks.event'),
    cell: ({ id, type }) => (
      <Link href={`/developers/webhooks/${endpointId}/deliveries/${id}`}>
        <code>{type}</code>
      </Link>
    ),
  },
  { key: 'status', title: t('webhooks.state'), cell: ({ status }) => <DeliveryBadge status={status} /> },
  {
    key: 'answer',
    title: t('webhooks.answer'),
    cell: ({ attempts }) => attempts.at(-1)?.status_code ?? attempts.at(-1)?.error ?? '–',
  },
  { key: 'attempts', title: t('webhooks.attempts'), isNumeric: true, cell: ({ attempts }) => attempts.length },
  {
    key: 'took',
    title: t('webhooks.took'),
    isNumeric: true,
    cell: ({ attempts }) => (attempts.length > 0 ? `${attempts.at(-1)!.duration_ms} ms` : '–'),
  },
  { key: 'at', title: t('webhooks.at'), cell: ({ created_at: at }) => <Ago at={at} /> },
];

/** The newest deliveries of an endpoint; those of one state alone, when one is chosen. */
export function Deliveries({ endpointId, isLive }: { endpointId: string; isLive: boolean }) {
  const language = useLanguage();
  const { t } = language;
  const [status, setStatus] = useState<DeliveryFilter>('');
  const query = useDeliveries(endpointId, status, isLive);
  const none = status ? (
    <Empty title={t('webhooks.noneFound')} />
  ) : (
    <Empty title={t('webhooks.noDeliveries')}>{t('webhooks.noDeliveriesText')}</Empty>
  );
  return (
    <>
      <search className="filters">
        <Choice
          label={t('webhooks.state')}
          value={status}
          onChange={setStatus}
          options={[
            { value: '', label: t('requests.all') },
            ...DELIVERY_STATES.map((value) => ({ value, label: t(`webhooks.delivery.${value}`) })),
          ]}
        />
      </search>
      <Shown query={query}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            none
          ) : (
            <Table
              label={t('webhooks.deliveries')}
              rows={deliveries}
              rowKey={({ id }) => id}
              columns={columnsOf(language, endpointId)}
            />
          )
        }
      </Shown>
    </>
  );
}
