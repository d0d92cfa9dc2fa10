import type { Appearance, Stripe, StripeElements } from '@stripe/stripe-js';
import type { Me } from '../../../api/me.ts';

/** The publishable key that the gateway has put into the document of this page; null without one. */
export const publishableKey = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="stripe-publishable-key"]')?.content ?? null;

/** Whether the document was loaded from the address of this page: only that has the policy by which Stripe's script may run. */
export function isOwnDocument(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation !== undefined && new URL(navigation.name).pathname === location.pathname;
}

/** An error of Stripe for its user, in the language of the page. */
export class StripeProblem extends Error {}

/** Loads Stripe's script from Stripe's own address. Throws a StripeProblem where that fails. */
export async function loadedStripe(key: string): Promise<Stripe> {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(key).catch(() => null);
  if (!stripe) throw new StripeProblem();
  return stripe;
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The look of Stripe's fields, which have a page of their own: that of this one. */
const appearance = (): Appearance => ({
  theme: document.documentElement.dataset.theme === 'dark' ? 'night' : 'stripe',
  variables: {
    colorPrimary: colour('--accent'),
    colorBackground: colour('--surface'),
    colorText: colour('--text'),
    colorDanger: colour('--danger'),
    borderRadius: '6px',
  },
});

/** The fields for a card, without wallets of devices. */
export function cardElements(stripe: Stripe, { account, user }: Pick<Me, 'account' | 'user'>): StripeElements {
  return stripe.elements({
    mode: 'setup',
    currency: account.currency.toLowerCase(),
    allowedPaymentMethodTypes: ['card'],
    paymentMethodCreation: 'manual',
    locale: user.locale,
    appearance: appearance(),
  });
}

/** Has Stripe store the card that is typed into its fields, and returns the token by which it names it. Throws a StripeProblem. */
export async function tokenOf(stripe: Stripe, elements: StripeElements): Promise<string> {
  const { error: incomplete } = await elements.submit();
  if (incomplete) throw new StripeProblem(incomplete.message);
  const { error, paymentMethod } = await stripe.createPaymentMethod({ elements });
  if (error) throw new StripeProblem(error.message);
  return paymentMethod.id;
}
