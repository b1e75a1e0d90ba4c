// Funciones de Pizarra para Google Sheets. docs/spreadsheets.md dice cómo instalarlas.

/** Segundos durante los que se reutiliza un dato, en todas las celdas de la planilla. */
const SEGUNDOS_COTIZACION = 30;
const SEGUNDOS_HISTORICO = 3600;
/** Google admite unos 2.000 caracteres por dirección y 100 kB por dato guardado. */
const CARACTERES_POR_PEDIDO = 1500;
const CARACTERES_GUARDADOS = 90000;

/**
 * Cotizaciones de una especie o de un rango de especies, una fila por especie.
 *
 * @param {A2:A30} especies La especie, o el rango con las especies.
 * @param {"ultimo;variacion"} campos Los campos, separados por punto y coma. Por defecto, ultimo.
 * @param {Pizarra!$B$1} actualizado La celda que cambia con cada actualización. Opcional.
 * @customfunction
 */
function PIZARRA(especies, campos, actualizado) {
  return conErrores(() => {
    const pedidas = enLista(especies);
    const nombres = camposDe(campos, ['ultimo']);
    const distintas = [...new Set(pedidas.map(normal))].filter((especie) => especie !== '');
    const cotizaciones = leerCotizaciones(distintas);
    return pedidas.map((especie) => {
      const cotizacion = cotizaciones[normal(especie)];
      if (normal(especie) === '') return nombres.map(() => '');
      return nombres.map((campo) => (cotizacion ? celda(cotizacion[campo]) : 'sin datos'));
    });
  });
}

/**
 * Las cotizaciones de un panel, con los nombres de los campos en la primera fila.
 *
 * @param {"LID"} panel El panel: LID, GEN, LIDGEN, BONOS, CED, ADRARG, ADR, ETF, VARIAS o IND.
 * @param {"especie;ultimo;variacion"} campos Los campos, separados por punto y coma.
 * @param {Pizarra!$B$1} actualizado La celda que cambia con cada actualización. Opcional.
 * @customfunction
 */
function PIZARRA_PANEL(panel, campos, actualizado) {
  return conErrores(() => {
    const ruta = `/cotizaciones?panel=${encodeURIComponent(panel)}`;
    const nombres = camposDe(campos, ['especie', 'fecha', 'hora', 'ultimo', 'variacion']);
    return tabla(leer(ruta, SEGUNDOS_COTIZACION), nombres);
  });
}

/**
 * Los cierres diarios de una especie, del más antiguo al más reciente.
 *
 * @param {"GGAL"} especie La especie.
 * @param {FECHA(2026;1;1)} desde La primera fecha.
 * @param {HOY()-1} hasta La última fecha.
 * @param {"splits"} ajuste ninguno (por defecto), splits o total.
 * @customfunction
 */
function PIZARRA_HISTORICO(especie, desde, hasta, ajuste) {
  return conErrores(() => {
    const pedido = {
      especie,
      desde: fecha(desde),
      hasta: fecha(hasta),
      ajuste: ajuste || 'ninguno',
    };
    const consulta = Object.entries(pedido).map(
      ([nombre, valor]) => `${nombre}=${encodeURIComponent(valor)}`,
    );
    const filas = leer(`/historicos?${consulta.join('&')}`, SEGUNDOS_HISTORICO);
    return filas.length === 0 ? 'sin datos' : tabla(filas, ['fecha', 'ultimo', 'volumen']);
  });
}

/** El menú de la planilla. Google llama a esta función al abrirla. */
function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Pizarra')
    .addItem('Actualizar ahora', 'actualizar')
    .addItem('Actualizar cada minuto', 'actualizarCadaMinuto')
    .addToUi();
}

/** Cambia la celda de la que dependen las fórmulas, y así Google las vuelve a calcular. */
function actualizar() {
  const planilla = SpreadsheetApp.getActive();
  const hoja = planilla.getSheetByName('Pizarra') || planilla.insertSheet('Pizarra');
  hoja.getRange('A1').setValue('Actualizado');
  hoja.getRange('B1').setValue(new Date());
}

function actualizarCadaMinuto() {
  const activos = ScriptApp.getProjectTriggers().map((uno) => uno.getHandlerFunction());
  if (!activos.includes('actualizar')) {
    ScriptApp.newTrigger('actualizar').timeBased().everyMinutes(1).create();
  }
  actualizar();
}

/** Lee las especies que no están guardadas, en la menor cantidad de pedidos. */
function leerCotizaciones(especies) {
  const guardadas = CacheService.getScriptCache();
  const encontradas = {};
  for (const [clave, texto] of Object.entries(guardadas.getAll(especies.map(claveDe)))) {
    encontradas[clave] = JSON.parse(texto);
  }
  const faltan = especies.filter((especie) => !(claveDe(especie) in encontradas));
  const nuevas = {};
  for (const lote of lotes(faltan)) {
    const filas = pedir(`/cotizaciones?especie=${lote.map(encodeURIComponent).join(',')}`);
    // También se guarda que una especie no tiene datos, para no volver a pedirla enseguida.
    for (const especie of lote) nuevas[claveDe(especie)] = null;
    for (const fila of filas) nuevas[claveDe(fila.especie)] = fila;
  }
  const textos = Object.entries(nuevas).map(([clave, fila]) => [clave, JSON.stringify(fila)]);
  if (textos.length > 0) guardadas.putAll(Object.fromEntries(textos), SEGUNDOS_COTIZACION);
  const todas = { ...encontradas, ...nuevas };
  return Object.fromEntries(especies.map((especie) => [especie, todas[claveDe(especie)]]));
}

function lotes(especies) {
  const resultado = [];
  let largo = Infinity;
  for (const especie of especies) {
    const propio = encodeURIComponent(especie).length + 1;
    if (largo + propio > CARACTERES_POR_PEDIDO) {
      resultado.push([]);
      largo = 0;
    }
    resultado[resultado.length - 1].push(especie);
    largo += propio;
  }
  return resultado;
}

/** Lee una ruta, o la reutiliza si se leyó hace poco. */
function leer(ruta, segundos) {
  const guardadas = CacheService.getScriptCache();
  const clave = claveDe(ruta);
  const texto = guardadas.get(clave);
  if (texto !== null) return JSON.parse(texto);
  const filas = pedir(ruta);
  const nuevo = JSON.stringify(filas);
  if (nuevo.length <= CARACTERES_GUARDADOS) guardadas.put(clave, nuevo, segundos);
  return filas;
}

function pedir(ruta) {
  const propiedades = PropertiesService.getScriptProperties();
  const url = (propiedades.getProperty('PIZARRA_URL') || '').replace(/\/+$/, '');
  const clave = propiedades.getProperty('PIZARRA_CLAVE');
  if (!url || !clave) throw new Error('Faltan las propiedades PIZARRA_URL y PIZARRA_CLAVE.');
  // Sin HTTPS, la clave viajaría sin cifrar.
  if (!url.startsWith('https://')) throw new Error('PIZARRA_URL debe empezar con https://.');
  const respuesta = UrlFetchApp.fetch(url + ruta, {
    headers: { Authorization: `Bearer ${clave}` },
    muteHttpExceptions: true,
    followRedirects: false,
  });
  const texto = respuesta.getContentText();
  const estado = respuesta.getResponseCode();
  let datos = {};
  try {
    datos = JSON.parse(texto);
  } catch {
    // Un proxy responde con una página en lugar de JSON.
  }
  if (estado !== 200) throw new Error(datos.error || `El servicio respondió ${estado}.`);
  if (!Array.isArray(datos)) throw new Error('La respuesta no es la de un servicio Pizarra.');
  return datos;
}

/** Un error se muestra en la celda, con lo que hay que hacer. */
function conErrores(calcular) {
  try {
    return calcular();
  } catch (error) {
    return `Error: ${error.message}`;
  }
}

function tabla(filas, nombres) {
  return [nombres, ...filas.map((fila) => nombres.map((campo) => celda(fila[campo])))];
}

/** Un campo ausente o nulo es una celda vacía, nunca un cero. */
function celda(valor) {
  return valor === undefined || valor === null ? '' : valor;
}

function enLista(valor) {
  return Array.isArray(valor) ? valor.flat() : [valor];
}

function camposDe(campos, porDefecto) {
  const nombres = enLista(campos === undefined ? '' : campos)
    .join(';')
    .split(/[;,\s]+/);
  const dados = nombres.filter((nombre) => nombre !== '');
  return dados.length === 0 ? porDefecto : dados;
}

/** El servicio no distingue mayúsculas ni espacios repetidos. */
function normal(especie) {
  return String(especie).trim().replace(/\s+/g, ' ').toUpperCase();
}

/** Las claves de la memoria de Google tienen como máximo 250 caracteres. */
function claveDe(texto) {
  const corto = `pizarra:${texto}`;
  if (corto.length <= 250) return corto;
  const resumen = Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, texto);
  return `pizarra:${Utilities.base64Encode(resumen)}`;
}

/** Una fecha de la planilla, o un texto AAAA-MM-DD. */
function fecha(valor) {
  if (!(valor instanceof Date)) return String(valor);
  return Utilities.formatDate(
    valor,
    SpreadsheetApp.getActive().getSpreadsheetTimeZone(),
    'yyyy-MM-dd',
  );
}
