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

/** The fields for a card that is set up with this secret. */
export const cardElements = (stripe: Stripe, clientSecret: string, { user }: Pick<Me, 'user'>): StripeElements =>
  stripe.elements({ clientSecret, locale: user.locale, appearance: appearance() });

/** Has Stripe keep the card that is typed into its fields, checked by its bank, and returns the token by which it names it. Throws a StripeProblem. */
export async function tokenOf(stripe: Stripe, elements: StripeElements): Promise<string> {
  const { error: incomplete } = await elements.submit();
  if (incomplete) throw new StripeProblem(incomplete.message);
  const { error, setupIntent } = await stripe.confirmSetup({ elements, redirect: 'if_required' });
  if (error) throw new StripeProblem(error.message);
  const { payment_method: method } = setupIntent;
  return typeof method === 'string' ? method : method!.id;
}
