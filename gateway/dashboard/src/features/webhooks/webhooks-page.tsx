import type { WebhookEndpoint } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { type Column, Table } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { NewEndpointDialog } from './new-endpoint-dialog.tsx';
import { useEndpoints } from './webhooks.ts';
import './webhooks.css';

const columnsOf = ({ t }: Language): Column<WebhookEndpoint>[] => [
  {
    key: 'url',
    title: t('webhooks.url'),
    cell: ({ id, url, description }) => (
      <span className="stack-tight">
        <Link href={`/developers/webhooks/${id}`} className="webhook-url">
          {url}
        </Link>
        {description && <span className="hint">{description}</span>}
      </span>
    ),
  },
  {
    key: 'events',
    title: t('webhooks.events'),
    cell: ({ events }) =>
      events.includes('*') ? t('webhooks.allEvents') : t('webhooks.someEvents', { count: events.length }),
  },
  {
    key: 'state',
    title: t('webhooks.state'),
    cell: ({ enabled }) => (
      <Badge tone={enabled ? 'success' : 'warning'}>{enabled ? t('webhooks.enabled') : t('webhooks.disabled')}</Badge>
    ),
  },
  { key: 'created', title: t('webhooks.created'), cell: ({ created_at: at }) => <Instant at={at} /> },
];

/** The webhook endpoints of an environment. */
export default function WebhooksPage() {
  const language = useLanguage();
  const { t } = language;
  const query = useEndpoints();
  const canWrite = useScopes()('webhooks:write');
  const [isAdding, setAdding] = useState(false);
  const add = canWrite && (
    <Button kind="primary" onPress={() => setAdding(true)}>
      <Icon name="plus" /> {t('webhooks.new')}
    </Button>
  );
  return (
    <Page title={t('webhooks.title')} lead={t('webhooks.lead')} actions={add}>
      <Shown query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Empty title={t('webhooks.emptyTitle')} action={add}>
              {t('webhooks.empty')} <a href="/docs/webhooks">{t('webhooks.guide')}</a>
            </Empty>
          ) : (
            <Table label={t('webhooks.title')} rows={endpoints} rowKey={({ id }) => id} columns={columnsOf(language)} />
          )
        }
      </Shown>
      {isAdding && <NewEndpointDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
