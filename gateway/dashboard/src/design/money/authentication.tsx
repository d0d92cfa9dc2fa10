import type { Payment } from '@swim/sdk';
import { useEnvironment } from '../../api/environment.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { ErrorNotice } from '../notice.tsx';
import { atTheBank, useAuthenticate } from './pay.ts';

interface AuthenticationProps {
  readonly payment: Payment;
  /** Called once the bank of the sandbox has its answer. */
  readonly onDone?: () => void;
}

/** What the bank asks of the cardholder: for a live payment on a page of its own; in the sandbox its outcome is chosen here. */
export function Authentication({ payment, onDone }: AuthenticationProps) {
  const { t } = useLanguage();
  const { mutate, isPending, error } = useAuthenticate(payment);
  const answer = (outcome: 'succeeded' | 'failed') => mutate(outcome, { onSuccess: () => onDone?.() });
  if (useEnvironment() === 'live')
    return (
      <p>
        <a href={atTheBank(payment)}>{t('card.confirm')}</a>
      </p>
    );
  return (
    <>
      <div className="row payment-actions">
        <Button small isDisabled={isPending} onPress={() => answer('succeeded')}>
          {t('card.confirm')}
        </Button>
        <Button small isDisabled={isPending} onPress={() => answer('failed')}>
          {t('card.fail')}
        </Button>
      </div>
      <ErrorNotice error={error} />
    </>
  );
}
