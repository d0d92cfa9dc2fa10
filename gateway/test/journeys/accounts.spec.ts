import './topics/identity/scopes.js';
import './topics/identity/keys.js';
import './topics/money/disputes.js';
import './topics/money/payments.js';
import './topics/money/currencies.js';
import './topics/identity/erasure.js';
import './topics/identity/account-erasure.js';
import './topics/lessons/races.js';
