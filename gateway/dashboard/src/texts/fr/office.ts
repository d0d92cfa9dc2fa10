import type { office as english } from '../en/office.ts';
import type { SameTexts } from '../same-texts.ts';

export const office: SameTexts<typeof english> = {
  'waitlist.title': 'Liste d’attente',
  'waitlist.lead': 'Quand un créneau se libère, il est proposé au premier de la liste pendant 30 minutes.',
  'waitlist.emptyTitle': 'Personne n’attend',
  'waitlist.empty': 'Si un moniteur est complet, inscrivez-vous avec les jours qui vous conviennent.',
  'waitlist.emptyOfSchool':
    'Les familles s’inscrivent quand un moniteur est complet. Un créneau qui se libère est proposé à la première de la liste.',
  'waitlist.join': 'S’inscrire sur la liste',
  'waitlist.leave': 'Quitter',
  'waitlist.between': 'Entre',
  'waitlist.offer': 'Proposé :',
  'waitlist.until': 'jusqu’à',
  'waitlist.status.waiting': 'En attente',
  'waitlist.status.offered': 'Proposé',
  'waitlist.status.accepted': 'Accepté',
  'waitlist.status.expired': 'Expiré',
  'statement.title': 'Relevé',
  'statement.lead':
    'Les montants à la date du paiement ou du remboursement, les cours à la date où ils ont été donnés.',
  'statement.month': 'Mois',
  'statement.download': 'Télécharger en CSV',
  'statement.charged': 'Encaissé',
  'statement.refunded': 'Remboursé',
  'statement.fees': 'Frais conservés',
  'statement.credits_issued': 'Crédits émis',
  'statement.credits_spent': 'Crédits utilisés',
  'statement.summary': 'Encaissé {charged}, remboursé {refunded}.',
  'statement.key': 'Au-dessus de la ligne : encaissé. Au-dessous : remboursé. Une barre par jour.',
  'statement.emptyTitle': 'Rien ce mois-ci',
  'statement.empty': 'Paiements et cours apparaissent ici le jour même.',
  'policies.title': 'Règles',
  'policies.lead':
    'Elles s’appliquent à tous ceux qui réservent auprès de vos moniteurs. Une réservation garde celles du moment où elle a été faite.',
  'policies.none': 'Seules les écoles ont des règles',
  'policies.noneText': 'Les règles de l’école auprès de laquelle vous réservez s’appliquent.',
  'policies.saved': 'Enregistré. Elles s’appliquent aux réservations à partir de maintenant.',
  'policies.free_cancellation_hours': 'Annulation gratuite, en heures',
  'policies.free_cancellation_hours.means':
    'Jusqu’à ce nombre d’heures avant le début, annuler est sans frais et ce qui est payé est remboursé.',
  'policies.late_fee_percent': 'Frais d’annulation tardive, en pour cent',
  'policies.late_fee_percent.means':
    'Les frais sont cette part du prix. Ce qui est payé les couvre d’abord ; le reste est dû.',
  'policies.no_show_fee_percent': 'Frais d’absence, en pour cent',
  'policies.no_show_fee_percent.means':
    'Les frais sont cette part du prix quand un élève ne vient pas. Ce qui est payé en plus est remboursé ; ce qui manque est dû.',
  'policies.require_prepayment': 'Exiger le paiement à l’avance',
  'policies.require_prepayment.means':
    'Une réservation reste en attente jusqu’au paiement complet, et expire après 15 minutes.',
  'policies.enforce_availability': 'Seulement aux horaires publiés',
  'policies.enforce_availability.means':
    'Si elle est désactivée, des cours peuvent aussi être réservés hors des horaires publiés.',
  'policies.makeup_credits': 'Crédits de rattrapage',
  'policies.makeup_credits.means':
    'Qui annule peut choisir un crédit au lieu du remboursement. Il vaut chez vous 180 jours.',
  'policies.progress_visible': 'Les familles voient les progrès',
  'policies.progress_visible.means': 'Si elle est désactivée, seule l’école voit le niveau et les acquis.',
  'methods.title': 'Moyens de paiement',
  'methods.lead':
    'Les cartes sont conservées par le prestataire de paiement. Seuls leurs quatre derniers chiffres sont ici.',
  'methods.emptyTitle': 'Pas encore de moyen de paiement',
  'methods.empty': 'Ajoutez une carte et payez vos réservations avec elle. La première devient celle par défaut.',
  'methods.add': 'Ajouter une carte',
  'methods.card': 'Carte',
  'card.lead': 'Stripe garde votre carte. Rien de ce que vous saisissez ici n’atteint nos serveurs.',
  'card.noKey':
    'On ne peut pas encore ajouter de carte ici : l’exploitant de ce service doit indiquer la clé publique de Stripe (STRIPE_PUBLISHABLE_KEY).',
  'card.unreachable':
    'Stripe est injoignable. Vérifiez votre réseau et si votre navigateur bloque js.stripe.com, puis rechargez la page.',
  'card.back': 'Revenir sans rien changer',
  'card.confirmTitle': 'Confirmer le paiement',
  'card.confirmText':
    'Votre banque vous demande de confirmer ce paiement. Vous avez 15 minutes depuis qu’il a été fait.',
  'card.confirm': 'Confirmer auprès de la banque',
  'card.fail': 'Échouer à la banque',
  'methods.expires': 'Valable jusqu’au',
  'methods.default': 'Par défaut',
  'methods.makeDefault': 'Définir par défaut',
  'methods.removeText': 'Les écoles ne pourront plus débiter cette carte, même pour les cours déjà réservés.',
  'methods.pm_card_visa': 'Visa : réussit',
  'methods.pm_card_declined': 'Est refusée',
  'methods.pm_card_insufficient_funds': 'Fonds insuffisants',
  'methods.pm_card_requires_action': 'Demande une confirmation de la banque',
  'methods.pm_card_timeout': 'Se règle après quelques secondes',
};
