import type { WebhookEndpoint } from '@swim/sdk';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Checkbox } from '../../design/fields/fields.tsx';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Page, Section, Shown } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { Deliveries } from './deliveries.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useEndpoint, useEndpointActions } from './webhooks.ts';
import './webhooks.css';

type Opened = 'replay' | 'remove' | null;

function RemoveDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { t } = useLanguage();
  const [, navigate] = useLocation();
  const { remove } = useEndpointActions(endpoint.id);
  return (
    <Dialog title={t('webhooks.removeTitle')} isOpen onClose={onClose}>
      <p>{t('webhooks.removeText', { url: endpoint.url })}</p>
      <ErrorNotice error={remove.error} />
      <DialogActions onCancel={onClose}>
        <Button
          kind="danger"
          isPending={remove.isPending}
          onPress={() => remove.mutate(undefined, { onSuccess: () => navigate('/developers/webhooks') })}
        >
          {t('action.remove')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useLanguage();
  const [opened, setOpened] = useState<Opened>(null);
  const { ping, rotate, enable } = useEndpointActions(endpoint.id);
  const close = () => setOpened(null);
  return (
    <>
      <div className="row">
        <Button isPending={ping.isPending} onPress={() => ping.mutate()}>
          {t('webhooks.ping')}
        </Button>
        <Button onPress={() => setOpened('replay')}>{t('webhooks.replay')}</Button>
        <Button isPending={rotate.isPending} onPress={() => rotate.mutate()}>
          {t('webhooks.rotate')}
        </Button>
        <Button isPending={enable.isPending} onPress={() => enable.mutate(!endpoint.enabled)}>
          {endpoint.enabled ? t('webhooks.disable') : t('webhooks.enable')}
        </Button>
        <Button onPress={() => setOpened('remove')}>{t('action.remove')}</Button>
      </div>
      <ErrorNotice error={ping.error ?? rotate.error ?? enable.error} />
      {rotate.data && <SecretDialog secret={rotate.data.secret ?? ''} onClose={() => rotate.reset()} />}
      {opened === 'replay' && <ReplayDialog endpointId={endpoint.id} onClose={close} />}
      {opened === 'remove' && <RemoveDialog endpoint={endpoint} onClose={close} />}
    </>
  );
}

function Facts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t, named } = useLanguage();
  const { enabled, events, description, disabled_reason: reason } = endpoint;
  return (
    <div className="card stack">
      {reason && <Notice kind="warning">{named('webhooks.reason', reason)}</Notice>}
      <dl className="facts">
        <div>
          <dt>{t('webhooks.state')}</dt>
          <dd>
            <Badge tone={enabled ? 'success' : 'warning'}>
              {enabled ? t('webhooks.enabled') : t('webhooks.disabled')}
            </Badge>
          </dd>
        </div>
        <div>
          <dt>{t('webhooks.events')}</dt>
          <dd>{events.includes('*') ? t('webhooks.allEvents') : events.join(', ')}</dd>
        </div>
        {description && (
          <div>
            <dt>{t('webhooks.description')}</dt>
            <dd>{description}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}

/** One webhook endpoint with its deliveries. */
export default function WebhookPage() {
  const { t } = useLanguage();
  const { endpointId } = useParams<{ endpointId: string }>();
  const query = useEndpoint(endpointId);
  const canWrite = useScopes()('webhooks:write');
  const [isLive, setLive] = useState(true);
  return (
    <Page
      title={query.data?.url ?? t('webhooks.endpoint')}
      lead={<Link href="/developers/webhooks">{t('webhooks.title')}</Link>}
    >
      <Shown query={query}>
        {(endpoint) => (
          <>
            <Facts endpoint={endpoint} />
            {canWrite && <Actions endpoint={endpoint} />}
            <Section
              title={t('webhooks.deliveries')}
              actions={
                <Checkbox isSelected={isLive} onChange={setLive}>
                  {t('webhooks.tail')}
                </Checkbox>
              }
            >
              <Deliveries endpointId={endpoint.id} isLive={isLive} />
            </Section>
          </>
        )}
      </Shown>
    </Page>
  );
}
