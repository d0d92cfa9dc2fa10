import { serve } from '../serve.js';
import { policy } from './policy.js';

/** Answers the request; nothing comes after it. */
export const routePolicy = policy('route', (exchange) => {
  const serving = serve(exchange);
  return serving === undefined ? false : serving.then(() => false);
});
