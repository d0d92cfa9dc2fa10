import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { ApiError } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { clientIn } from '../../../api/client.ts';
import { EnvironmentContext } from '../../../api/environment.tsx';
import { useMe } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { Loading, Page } from '../../../design/page.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { cardElements, isOwnDocument, loadedStripe, publishableKey, StripeProblem, tokenOf } from './stripe.ts';
import './card.css';

const METHODS = '/dashboard/live/payment-methods';

function Problem({ of }: { of: unknown }) {
  const { t } = useLanguage();
  if (!(of instanceof StripeProblem)) return <ErrorNotice error={of} />;
  return <Notice kind="danger">{of.message || t('card.unreachable')}</Notice>;
}

interface CardFormProps {
  stripe: Stripe;
  clientSecret: string;
  onRefused: (error: ApiError) => void;
}

const isRefusal = (error: Error): error is ApiError => error instanceof ApiError && error.status < 500;

/** Stripe's own fields, in a frame of Stripe: what is typed into them reaches no server but Stripe's. */
function CardForm({ stripe, clientSecret, onRefused }: CardFormProps) {
  const { t } = useLanguage();
  const me = useMe();
  const box = useRef<HTMLDivElement>(null);
  const token = useRef<string | null>(null);
  const [elements, setElements] = useState<StripeElements | null>(null);
  useEffect(() => {
    const made = cardElements(stripe, clientSecret, me);
    const element = made.create('payment', { wallets: { applePay: 'never', googlePay: 'never' } });
    element.mount(box.current!);
    setElements(made);
    return () => element.destroy();
  }, [stripe, clientSecret, me]);
  const add = useMutation({
    mutationFn: async () => {
      // A card is set up once: a request that failed on its way is repeated alone.
      token.current ??= await tokenOf(stripe, elements!);
      return clientIn('live').paymentMethods.add(me.account.id, { processor_payment_method_id: token.current });
    },
    // A card that was refused is not sent again: the fields ask for another one, under a secret of its own.
    onError: (error) => {
      if (isRefusal(error)) onRefused(error);
    },
    // The policy of this document is wider than that of the others: it is left, not navigated from.
    onSuccess: () => location.assign(METHODS),
  });
  const { submit } = useForm({}, () => add.mutate());
  return (
    <form className="stack" onSubmit={submit}>
      <div ref={box} />
      <Problem of={add.error} />
      <Button kind="primary" type="submit" isPending={add.isPending} isDisabled={!elements}>
        {t('methods.add')}
      </Button>
    </form>
  );
}

/** The fields for one card, which Stripe takes under a secret of their own. */
function NewCard({ stripe }: { stripe: Stripe }) {
  const { account } = useMe();
  const [refused, setRefused] = useState<ApiError[]>([]);
  const { data, error } = useQuery({
    queryKey: ['live', 'card-setup', refused.length],
    ...{ gcTime: 0, retry: false, staleTime: Number.POSITIVE_INFINITY },
    queryFn: ({ signal }) => clientIn('live').paymentMethods.setUp(account.id, { signal }),
  });
  if (error) return <Problem of={error} />;
  if (!data) return <Loading />;
  const secret = data.client_secret!;
  return (
    <>
      {refused.length > 0 && <Problem of={refused.at(-1)} />}
      <CardForm
        key={secret}
        stripe={stripe}
        clientSecret={secret}
        onRefused={(last) => setRefused((all) => [...all, last])}
      />
    </>
  );
}

/** What the bank wants of the cardholder before a payment succeeds: Stripe shows it. */
function Confirmation({ stripe, paymentId }: { stripe: Stripe; paymentId: string }) {
  const { t } = useLanguage();
  const confirm = useMutation({
    mutationFn: async () => {
      const { booking_id: bookingId, next_action: next } = await clientIn('live').payments.get(paymentId);
      if (next?.client_secret) {
        const { error } = await stripe.handleNextAction({ clientSecret: next.client_secret });
        if (error) throw new StripeProblem(error.message);
      }
      return bookingId;
    },
    onSuccess: (bookingId) => location.assign(`/dashboard/live/bookings/${bookingId}`),
  });
  return (
    <div className="stack">
      <p>{t('card.confirmText')}</p>
      <Problem of={confirm.error} />
      <Button kind="primary" isPending={confirm.isPending} onPress={() => confirm.mutate()}>
        {t('card.confirm')}
      </Button>
    </div>
  );
}

function WithStripe({ apiKey, children }: { apiKey: string; children: (stripe: Stripe) => ReactNode }) {
  const { data, error } = useQuery({
    queryKey: ['stripe', apiKey],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => loadedStripe(apiKey),
  });
  if (error) return <Problem of={error} />;
  return data ? children(data) : <Loading />;
}

/**
 * A card of the live environment is added here, or a payment confirmed at the bank. The page has a document of its own, whose policy lets
 * Stripe's script run; it has no navigation, so that no other page runs in it.
 */
export default function CardPage() {
  const { t } = useLanguage();
  const [params] = useSearchParams();
  const paymentId = params.get('payment');
  const key = publishableKey();
  const isOwn = isOwnDocument();
  useEffect(() => {
    if (!isOwn) location.reload();
  }, [isOwn]);
  if (!isOwn) return <Loading />;
  return (
    <EnvironmentContext value="live">
      <main className="card-page" id="main">
        <Page title={t(paymentId ? 'card.confirmTitle' : 'methods.add')} lead={t('card.lead')}>
          {key === null ? (
            <Notice kind="warning">{t('card.noKey')}</Notice>
          ) : (
            <div className="card">
              <WithStripe apiKey={key}>
                {(stripe) =>
                  paymentId ? <Confirmation stripe={stripe} paymentId={paymentId} /> : <NewCard stripe={stripe} />
                }
              </WithStripe>
            </div>
          )}
          <p>
            <a href={paymentId ? '/dashboard/live/bookings' : METHODS}>{t('card.back')}</a>
          </p>
        </Page>
      </main>
    </EnvironmentContext>
  );
}
