import { BASE_PATH } from '../routes.js';

/** A Server of OpenAPI. */
export interface Server {
  url: string;
  description: string;
  variables?: Record<string, { default: string; description: string }>;
}

const ENVIRONMENTS =
  'A key that begins with `swl_live_` reaches live data, one that begins with `swl_test_` the sandbox: the same operations on data of their own, where payments are simulated and the clock can be advanced.';

/** Where the API is. Live data and the sandbox have the same address: the key of a request chooses. */
export const SERVERS: readonly Server[] = [
  { url: BASE_PATH, description: `The host of this document, live and sandbox. ${ENVIRONMENTS}` },
  {
    url: `https://{host}${BASE_PATH}`,
    description: `An installation, live and sandbox, for programs that have this document from a file. ${ENVIRONMENTS}`,
    variables: { host: { default: 'api.example.com', description: 'Host name of the installation' } },
  },
  {
    url: `http://127.0.0.1:{port}${BASE_PATH}`,
    description:
      'The product on your own machine, as `npm start` runs it. It prints `swl_test_` keys of demo accounts, which reach the sandbox. Live data can be used too, but for payments, which need Stripe to be set up.',
    variables: { port: { default: '8080', description: '`PORT` of the environment of `npm start`' } },
  },
];
