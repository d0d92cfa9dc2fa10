import './topics/scopes.js';
import './topics/keys.js';
import './topics/disputes.js';
import './topics/payments.js';
import './topics/currencies.js';
import './topics/erasure.js';
import './topics/account-erasure.js';
import './topics/races.js';
