import type { CancellationQuote, CancelSessionBody } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { Checkbox, Choice, TextField } from '../fields/fields.tsx';
import { useForm } from '../fields/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../notice.tsx';
import { Shown } from '../page.tsx';
import { money } from '../values/amount.ts';
import { Instant } from '../values/when.tsx';

function Quote({ quote, timeZone }: { quote: CancellationQuote; timeZone: string }) {
  const { t, tag } = useLanguage();
  // A cancellation by the school is free at any time.
  const isSchool = useMe().account.kind === 'school';
  const amount = (cents: number) => money(cents, quote.currency, tag);
  return (
    <>
      <dl className="facts card">
        <div>
          <dt>{t('calendar.fee')}</dt>
          <dd>{amount(quote.fee_cents)}</dd>
        </div>
        <div>
          <dt>{t('calendar.refund')}</dt>
          <dd>{amount(quote.refund_cents)}</dd>
        </div>
        {!isSchool && (
          <div>
            <dt>{t('calendar.freeUntil')}</dt>
            <dd>
              <Instant at={quote.free_until} timeZone={timeZone} />
            </dd>
          </div>
        )}
      </dl>
      {quote.late && quote.fee_cents > 0 && <Notice kind="warning">{t('open.late')}</Notice>}
    </>
  );
}

interface CancelSessionDialogProps {
  readonly sessionId: string;
  /** The time zone of the lesson; the account's without it. */
  readonly timeZone?: string;
  /** Reads again what the page shows. */
  readonly onCancelled: () => Promise<unknown>;
  readonly onClose: () => void;
}

function useCancel({ sessionId, onCancelled, onClose }: CancelSessionDialogProps) {
  const client = useClient();
  return useMutation({
    mutationFn: (body: CancelSessionBody) => client.sessions.cancel(sessionId, body),
    onSuccess: async () => {
      await onCancelled();
      onClose();
    },
  });
}

function useQuote(sessionId: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'quote', sessionId],
    gcTime: 0,
    queryFn: ({ signal }) => client.sessions.quoteCancellation(sessionId, { signal }),
  });
}

/** Cancels a session, once it is seen what that costs and gives back. */
export function CancelSessionDialog(props: CancelSessionDialogProps) {
  const { sessionId, onClose } = props;
  const { t } = useLanguage();
  const { account } = useMe();
  const cancel = useCancel(props);
  const quote = useQuote(sessionId);
  const ways = (['payment_method', 'credit'] as const).map((value) => ({ value, label: t(`bookings.as.${value}`) }));
  const start = { reason: '', notify: true, refundAs: ways[0]!.value };
  const { values, set, submit } = useForm(start, ({ reason, notify, refundAs }) =>
    cancel.mutate({ ...(reason && { reason }), notify_participants: notify, refund_as: refundAs }),
  );
  return (
    <Dialog title={t('calendar.cancelTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Shown query={quote}>{(data) => <Quote quote={data} timeZone={props.timeZone ?? account.timezone} />}</Shown>
        {quote.data?.makeup_credit && (
          <Choice
            label={t('bookings.refundAs')}
            value={values.refundAs}
            onChange={(refundAs) => set({ refundAs })}
            options={ways}
          />
        )}
        <TextField
          label={t('calendar.reason')}
          rows={2}
          value={values.reason}
          onChange={(reason) => set({ reason })}
          error={fieldErrorOf(cancel.error, 'reason')}
        />
        <Checkbox isSelected={values.notify} onChange={(notify) => set({ notify })}>
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
