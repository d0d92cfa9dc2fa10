import type { CancellationQuote } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { Checkbox, TextField } from '../fields/fields.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../notice.tsx';
import { Shown } from '../page.tsx';
import { money } from '../values/amount.ts';
import { Instant } from '../values/when.tsx';

function Quote({ quote }: { quote: CancellationQuote }) {
  const { t, tag } = useLanguage();
  const { timezone } = useMe().account;
  const amount = (cents: number) => money(cents, quote.currency, tag);
  return (
    <div className="card stack-tight">
      <dl className="facts">
        <div>
          <dt>{t('calendar.fee')}</dt>
          <dd>{amount(quote.fee_cents)}</dd>
        </div>
        <div>
          <dt>{t('calendar.refund')}</dt>
          <dd>{amount(quote.refund_cents)}</dd>
        </div>
        <div>
          <dt>{t('calendar.freeUntil')}</dt>
          <dd>
            <Instant at={quote.free_until} timeZone={timezone} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

interface CancelSessionDialogProps {
  readonly sessionId: string;
  /** Reads again what the page shows. */
  readonly onCancelled: () => Promise<unknown>;
  readonly onClose: () => void;
}

function useCancel({ sessionId, onCancelled, onClose }: CancelSessionDialogProps) {
  const client = useClient();
  return useMutation({
    mutationFn: ({ reason, notify }: { reason: string; notify: boolean }) =>
      client.sessions.cancel(sessionId, { ...(reason ? { reason } : {}), notify_participants: notify }),
    onSuccess: async () => {
      await onCancelled();
      onClose();
    },
  });
}

/** Cancels a session, once it is seen what that costs and gives back. */
export function CancelSessionDialog(props: CancelSessionDialogProps) {
  const { sessionId, onClose } = props;
  const { t } = useLanguage();
  const client = useClient();
  const environment = useEnvironment();
  const [reason, setReason] = useState('');
  const [notify, setNotify] = useState(true);
  const cancel = useCancel(props);
  const quote = useQuery({
    queryKey: [environment, 'quote', sessionId],
    gcTime: 0,
    queryFn: ({ signal }) => client.sessions.quoteCancellation(sessionId, { signal }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    cancel.mutate({ reason, notify });
  };
  return (
    <Dialog title={t('calendar.cancelTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Shown query={quote}>{(data) => <Quote quote={data} />}</Shown>
        <TextField
          label={t('calendar.reason')}
          rows={2}
          value={reason}
          onChange={setReason}
          error={fieldErrorOf(cancel.error, 'reason')}
        />
        <Checkbox isSelected={notify} onChange={setNotify}>
          {t('calendar.notify')}
        </Checkbox>
        <Notice kind="warning">{t('calendar.cancelFinal')}</Notice>
        <ErrorNotice error={cancel.error} />
        <DialogActions>
          <Button onPress={onClose}>{t('calendar.keep')}</Button>
          <Button kind="danger" type="submit" isPending={cancel.isPending} isDisabled={!quote.data}>
            {t('calendar.cancel')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
