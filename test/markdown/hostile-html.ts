// Markdown that attacks whoever shows its HTML. Every script in it calls `alert`.

const rawTexts = 'noscript xmp textarea title noembed noframes iframe style'.split(' ')

const handlers = [
  ...['svg onload', 'video src=x onerror', 'audio src=x onerror', 'details open ontoggle'],
  ...['marquee onstart', 'body onload', 'input autofocus onfocus', 'keygen autofocus onfocus'],
  ...['input type=image src=x onerror', 'isindex type=image src=1 onerror', 'source onerror'],
  ...['dialog open onclose', 'slot onslotchange'],
]

/** Attributes that have, or once had, a URL. */
const links = [
  ...['iframe src', 'object data', 'embed src', 'base href', 'link rel=stylesheet href'],
  ...['video poster', 'form action', 'math href', 'table background', 'a href', 'img lowsrc'],
  ...['img dynsrc', 'div itemscope itemprop=x itemtype'],
]

/** Spellings of schemes that run, or that a link may not have. */
export const hostileUrls: readonly string[] = [
  ...['JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java&#9;script:alert(1)'],
  ...['java&NewLine;script&colon;alert(1)', '&#1;javascript:alert(1)', 'vbscript:alert(1)'],
  ...['&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74:alert(1)', '//javascript:alert(1)'],
  ...['javascript&#0000058alert(1)', 'data:text/html,<script>alert(1)</script>'],
  ...['https:javascript:alert(1)', 'javascript\\:alert(1)', 'javascript:https://example.com'],
  ...['java\u0001script:alert(1)', '\u00a0javascript:alert(1)', 'blob:https://example.com/1'],
  ...['DATA:image/svg+xml,<svg/onload=alert(1)>', 'file:///etc/passwd', 'about:blank', 'tel:+123'],
]

/** Tricks that worked on some sanitiser or browser. */
export const knownVectors: readonly string[] = String.raw`
<script>alert(1)</script>
<script src=data:text/javascript,alert(1)></script>
<scr<script>ipt>alert(1)</scr</script>ipt>
<img src=x onerror=alert(1)>
<img src=x:x onerror=alert(1) //
<img/src=x/onerror=alert(1)>
<img src="x" onerror="alert(1)
<svg/onload=alert(1)>
<svg><script>alert(1)</script></svg>
<svg><script>alert&#40;1&#41;</script></svg>
<svg><style><img src=x onerror=alert(1)></style></svg>
<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">
<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>
<svg><animate onbegin=alert(1) attributeName=x dur=1s>
<svg><set attributeName=href to=javascript:alert(1)>
<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>alert(1)</script></svg>#x">
<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></iframe></foreignObject></svg>
<svg><desc><noscript></desc></svg><img src=x onerror=alert(1)>
<svg><title><style><img src="</style><img src=x onerror=alert(1)>"></title></svg>
<math><mtext></p><img src=x onerror=alert(1)>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">
<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src>">
<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>
<math><a xlink:href="javascript:alert(1)">x</a></math>
<math><mi><style><img title="</style><img src=x onerror=alert(1)>">
<noscript><style></noscript><img src=x onerror=alert(1)></style>
<template><script>alert(1)</script></template>
<template><img src=x onerror=alert(1)></template>
<template><template></template><img src=x onerror=alert(1)></template>
<div><template shadowrootmode=open><img src=x onerror=alert(1)></template></div>
<plaintext><img src=x onerror=alert(1)>
<iframe srcdoc="<script>alert(1)</script>"></iframe>
<style>@import 'data:text/css,*{x:expression(alert(1))}'</style>
<select><style></select><img src=x onerror=alert(1)></style>
<select><option><img src=x onerror=alert(1)></select>
<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=alert(1)>">
<table><td><style></table><img src=x onerror=alert(1)></style>
<table><img src=x onerror=alert(1)><tr><td>
<table><caption><svg><desc><td></table><img src=x onerror=alert(1)>
<object data="data:text/html,<script>alert(1)</script>"></object>
<applet code=x><param name=x value="javascript:alert(1)"></applet>
<meta http-equiv=refresh content="0;url=javascript:alert(1)">
<form id=f></form><button form=f formaction="javascript:alert(1)">x</button>
<picture><source srcset="x" onerror=alert(1)><img onerror=alert(1) src=x></picture>
<picture><source srcset="javascript:alert(1) 1x, data:image/svg+xml,<svg/onload=alert(1)> 2x"><img src=x></picture>
<img srcset="x 1x, javascript:alert(1) 2x" src=data:,x>
<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">
<html onclick=alert(1)><body background=javascript:alert(1)>
<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset>
<a href="x" ping="javascript:alert(1)" target=_blank>x</a>
<a href=https://a.example:x@javascript:alert(1)>x</a>
<a href="?javascript:alert(1)" onclick="alert(1)">x</a>
<a href="x" style="position:fixed;inset:0;behavior:url(#x)">x</a>
<area href="javascript:alert(1)"><map name=m><area shape=rect href="javascript:alert(1)"></map>
<p id=body name=body>x</p><img name=getElementById><a id=cookie name=location href="tel:x">y</a>
<form id=document name=forms><input name=attributes><input id=childNodes></form>
<a id=__proto__ name=constructor>x</a>
<p id="user-content-a"><p id="&quot; onmouseover=alert(1) x=&quot;">
<p title='" onmouseover=alert(1) x="'>x</p>
<p title="--><img src=x onerror=alert(1)>">x</p>
<p title="</p><img src=x onerror=alert(1)>">x</p>
<p lang="\"><img src=x onerror=alert(1)>">x</p>
<!--><img src=x onerror=alert(1)>-->
<!---><img src=x onerror=alert(1)>-->
<!-- --!><img src=x onerror=alert(1)> -->
<!--<!--><img src=x onerror=alert(1)>-->
<!-- x --><img src=x onerror=alert(1)>
<![CDATA[<img src=x onerror=alert(1)>]]>
<svg><![CDATA[</svg><img src=x onerror=alert(1)>]]>
<?xml version="1.0"?><img src=x onerror=alert(1)>
<!DOCTYPE x [<!ENTITY x "<img src=x onerror=alert(1)>">]>&x;
</p onclick=alert(1)>x
<p/onclick=alert(1)>x
<x onclick=alert(1)>x
<x-y onpointerover=alert(1) is=z>x</x-y>
<p onclick onclick=alert(1)>x
<p ONCLICK=alert(1)>x
<b <script>alert(1)</script>>x</b>
<a href="x"<img src=x onerror=alert(1)>>x</a>
<div><a><table><a>x</table></a><img src=x onerror=alert(1)></div>
<a><b><p></a></b><img src=x onerror=alert(1)>
<pre>
<code class="language-x onclick=alert(1)" onclick=alert(1)>x</code></pre>
<button popovertarget=x onbeforetoggle=alert(1)>x</button><p popover id=x>
<img usemap="#m" longdesc="javascript:alert(1)" src=x><blockquote cite="javascript:alert(1)">x</blockquote>
[x](<javascript:alert(1)>) ![x](data:text/html,x) <javascript:alert(1)>
[<img src=x onerror=alert(1)>](https://a.example "<img src=x onerror=alert(1)>")
`
  .split('\n')
  .filter((line) => line !== '')
  .concat(
    rawTexts.map((name) => `<${name}><p title="</${name}><img src=x onerror=alert(1)>">`),
    handlers.map((text) => `<${text}=alert(1)>`),
    links.map((text) => `<${text}="javascript:alert(1)">x`),
    hostileUrls.map((url) => `<a href="${url}">x</a>`),
  )
