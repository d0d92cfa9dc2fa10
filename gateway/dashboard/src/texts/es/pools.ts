import type { pools as english } from '../en/pools.ts';
import type { SameTexts } from '../same-texts.ts';

export const pools: SameTexts<typeof english> = {
  'pools.title': 'Piscinas',
  'pools.lead': 'Donde se imparten las clases. Con calles, nunca se reservan a la vez más grupos que calles.',
  'pools.emptyTitle': 'Aún no hay piscinas',
  'pools.empty': 'Añada una y se podrán reservar clases allí; cada calle tendrá una fila en el calendario.',
  'pools.add': 'Añadir piscina',
  'pools.edit': 'Editar la piscina',
  'pools.editNamed': 'Editar «{name}»',
  'pools.change': 'Editar',
  'pools.name': 'Piscina',
  'pools.address': 'Dirección',
  'pools.lanes': 'Calles',
  'pools.lanesHint': 'Grupos que pueden nadar a la vez; vacío para no limitarlos.',
  'pools.noLanes': 'Escriba un número de 1 a 100, o nada.',
  'pools.unlimited': 'Sin límite',
  'pools.latitude': 'Latitud',
  'pools.latitudeHint': 'Grados norte, como 52,532.',
  'pools.longitude': 'Longitud',
  'pools.longitudeHint': 'Grados este, como 13,385.',
  'pools.noDegrees': 'Escriba grados de −{most} a {most}.',
  'pools.zone': 'Zona horaria',
  'pools.removeNamed': 'Quitar «{name}»',
  'pools.removeText':
    'Ya no se podrán reservar clases allí; las clases pasadas conservan la piscina. No se puede quitar una piscina en la que aún habrá clases.',
  'pools.locate': 'Usar mi ubicación',
  'pools.notLocated': 'No se encontró su ubicación. Permítala en el navegador o escriba las coordenadas.',
  'pools.placeHint': 'O pegue ambas a la vez, como las copian los mapas en la web: 52.532, 13.385.',
};
