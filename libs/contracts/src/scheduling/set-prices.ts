import { z } from 'zod';
import { text } from '../formats/formats.js';

/** The price that a school sets for a session, and why. */
export const setPrice = {
  price_cents: z
    .int()
    .min(0)
    .max(99_999_999)
    .meta({ description: 'A price other than that of the rate, in minor units; only the school sets one' }),
  price_reason: text(200, 1).meta({ description: 'Why the school sets it' }),
};

/** The error of a reason without a price. */
export const REASON_OF_PRICE = { error: 'required', path: ['price_cents'] };
export const hasReasonOfPrice = (priced: { price_cents?: number | undefined; price_reason?: string | undefined }) =>
  priced.price_reason === undefined || priced.price_cents !== undefined;
