// Development only, until the engine is built: a small plain MHA with the engine's face.
const kn = (name,title,type,def,o={}) => ({name,title,type,default:def,minimum:null,maximum:null,scale:'linear',choices:[],...o});
const me = (id,kind,title,formula,sentence,o={}) => ({id,kind,title,aliases:[],formula,sentence,note:null,source:{authors:'Vaswani et al.',year:2017,where:'section 3.2',link:'https://arxiv.org/abs/1706.03762'},parameters:[],knobs:[],roles:[],slots:[],differentiable:true,learns:null,excludes:[],...o});
const sl = (name,title,group,kind,def,o={}) => ({name,title,group,kind,default:def,list:false,optional:false,...o});
const catalogue = {schema:'attention-playground/1',mechanisms:[
 me('attention','structure','Attention','C = A V','Queries ask, keys answer, values are handed over.',{slots:[sl('score','Score','General','score','scaled-dot'),sl('alignment','Alignment','General','alignment','softmax'),sl('query','Type','Queries','query','query-basic'),sl('heads','Multiplicity','Queries','heads',null,{optional:true}),sl('mask','Masks','Masks and positions','mask',null,{list:true,optional:true}),sl('position','Positions','Masks and positions','position',null,{list:true,optional:true})],roles:[{name:'query',required:true,falls_back_to:null,shape:'m dq'},{name:'key',required:false,falls_back_to:'query',shape:'n dk'},{name:'value',required:false,falls_back_to:'key',shape:'n dv'}]}),
 me('scaled-dot','score','Scaled dot product','e_{ij} = \\frac{q_i \\cdot k_j}{\\sqrt{d_k}}','Similarity by angle and length, divided by the root of the width.',{knobs:[kn('scale','Scale','number','1/sqrt(dk)')]}),
 me('additive','score','Additive','e_{ij} = \\tanh(q_i W_1 + k_j W_2 + b)\\cdot w','A small network compares query and key.',{knobs:[kn('act','Activation','choice','tanh',{choices:['tanh','relu']}),kn('hidden','Hidden','integer',8,{minimum:1,maximum:64})]}),
 me('softmax','alignment','Softmax','a_{ij} \\propto \\exp(e_{ij})','Every key keeps some weight, never exactly 0.'),
 me('softmax-temperature','alignment','Softmax with temperature','a_{ij} \\propto \\exp(e_{ij}/T)','A slider from sharp to flat.',{knobs:[kn('temperature','Temperature T','number',1,{minimum:0.01,maximum:10,scale:'log'})]}),
 me('sparsemax','alignment','Sparsemax','a_{ij} = \\max(0, e_{ij}-\\tau_i)','Weak keys get exactly 0.',{excludes:[{slot:'score',ids:['additive'],only:false,reason:'Example of a reason: choose Score: Scaled dot product first.'}]}),
 me('query-basic','query','Basic','q_i = x_i','The query input as it is.'),
 me('self-attention','query','Self-attentive','Q = X W_Q','Every token asks about all others.',{roles:[{name:'x',required:true,falls_back_to:null,shape:'n df'}]}),
 me('multi-head','heads','Multi-head','C = [C_1;\\dots;C_h] W_O','Several small attentions side by side.',{knobs:[kn('count','Heads','integer',4,{minimum:1,maximum:16}),kn('bias','Biases','boolean',false)]}),
 me('mask-causal','mask','Causal','j \\le i','No looking ahead.'),
 me('mask-padding','mask','Padding','j < l','Keys past the length are hidden.',{knobs:[kn('length','Length','integer',4,{minimum:1,maximum:64})]}),
 me('pos-sinusoidal','position','Sinusoidal','p_{i,2k}=\\sin(i/b^{2k/d})','Waves of many lengths tell the place.',{knobs:[kn('base','Base','number',10000,{minimum:10,maximum:100000,scale:'log'})]}),
]};
const rnd=(seed)=>{let s=seed>>>0;return()=>{s=(s+0x6D2B79F5)|0;let t=Math.imul(s^s>>>15,1|s);t=t+Math.imul(t^t>>>7,61|t)^t;return((t^t>>>14)>>>0)/4294967296*2-1;};};
const mat=(r,c,f)=>Array.from({length:r},(_,i)=>Array.from({length:c},(_,j)=>f(i,j)));
const mul=(a,b)=>a.map(r=>b[0].map((_,j)=>r.reduce((s,x,k)=>s+x*b[k][j],0)));
const T=a=>a[0].map((_,j)=>a.map(r=>r[j]));
function compute(doc){
 const fail=(path,message)=>{throw {path,message};};
 const M=doc.mechanism, names=Object.keys(doc.inputs); const qi=doc.inputs.x??doc.inputs.query??fail('/inputs','an input query or x is wanted'); const ki=doc.inputs.key??qi;
 if(!qi.tokens?.length)fail('/inputs/'+names[0]+'/tokens','at least 1 token is wanted, 0 were given');
 const d=qi.features.dim; const R=rnd(doc.seed??0);
 const emb=t=>t.map(w=>{const r=rnd([...w].reduce((a,c)=>a*31+c.charCodeAt(0)|0,doc.seed??0));return Array.from({length:d},()=>r()*1.7);});
 let xq=emb(qi.tokens), xk=ki===qi?xq:emb(ki.tokens); const h=M.heads?(M.heads.count??4):1; const p=Math.ceil(d/h);
 if(h<1||h>16||h%1)fail('/mechanism/heads/count',`Heads must be 1 to 16; ${h} was given.`);
 const out=[];const W=()=>Array.from({length:h},()=>mat(d,p,()=>R()/Math.sqrt(d)*2));
 const WQ=W(),WK=W(),WV=W(),WO=mat(h*p,d,()=>R()/Math.sqrt(d)*1.7);
 const masks=(M.mask??[]).map(x=>typeof x==='string'?{type:x}:x);
 const m=xq.length,n=xk.length; const mask=mat(m,n,(i,j)=>masks.every(k=>k.type==='mask-causal'?j<=i:j<(k.length??4))?1:0);
 const al=typeof M.alignment==='string'?{type:M.alignment}:(M.alignment??{type:'softmax'});
 const Q=WQ.map(w=>mul(xq,w)),K=WK.map(w=>mul(xk,w)),V=WV.map(w=>mul(xk,w));
 const E=Q.map((q,a)=>mul(q,T(K[a])).map(r=>r.map(x=>x/Math.sqrt(p))));
 const A=E.map(e=>e.map((r,i)=>{const ok=r.map((x,j)=>mask[i][j]?x/(al.temperature??1):-Infinity);if(al.type==='sparsemax'){const z=ok.filter(Number.isFinite).sort((a,b)=>b-a);let tau=0,s=0;z.forEach((x,k)=>{s+=x;if(1+(k+1)*x>s)tau=(s-1)/(k+1);});return ok.map(x=>Math.max(0,x-tau));}const mx=Math.max(...ok),u=ok.map(x=>Math.exp(x-mx)),t=u.reduce((a,b)=>a+b,0);return u.map(x=>x/t);}));
 const H=A.map((a,k)=>mul(a,V[k])); const C=mul(xq.map((_,i)=>H.flatMap(hh=>hh[i])),WO);
 return {doc,d,h,p,m,n,xq,xk,WQ,WK,WV,WO,Q,K,V,E,A,H,C,mask,al,names,qi,ki};
}
const flat=a=>Array.isArray(a)?a.flatMap(flat):[a];
const shape=a=>Array.isArray(a)?[a.length,...shape(a[0])]:[];
export default async()=>({
 version:()=>'mock', catalogue:()=>JSON.stringify(catalogue), normalise:d=>d, exportCode:()=>'# mock',
 run(text){try{const s=compute(JSON.parse(text));const list=[];const put=(group,name,a,axes,formula)=>list.push([group,name,a,axes,formula]);
  for(const nm of s.names)put('inputs',nm,nm==='key'?s.xk:s.xq,[nm==='key'?'n':'m','d']);
  put('outputs','query',s.Q,['h','m','p'],'Q = X W_Q');put('outputs','key',s.K,['h','n','p'],'K = X W_K');put('outputs','value',s.V,['h','n','pv'],'V = X W_V');put('outputs','mask',s.mask,['m','n']);put('outputs','scores',s.E,['h','m','n'],'E = \\frac{Q K^\\top}{\\sqrt{p}}');put('outputs','weights',s.A,['h','m','n'],'A = \\operatorname{softmax}(E/T)');put('outputs','heads',s.H,['h','m','pv'],'C_h = A_h V_h');put('outputs','context',s.C,['m','dc'],'C = [H_1;\\dots;H_h] W_O');
  put('parameters','heads.W_Q',s.WQ,['h','dq','p']);put('parameters','heads.W_K',s.WK,['h','dk','p']);put('parameters','heads.W_V',s.WV,['h','dv','pv']);put('parameters','heads.W_O',s.WO,['hpv','dc']);
  put('steps','Q K^T',s.E.map(e=>e.map(r=>r.map(x=>x*Math.sqrt(s.p)))),['h','m','n'],'Q K^\\top');
  let off=0;const tensors=list.map(([group,name,a,axes,formula])=>{const sh=shape(a);const t={group,name,shape:sh,axes,offset:off,formula};off+=sh.reduce((x,y)=>x*y,1);return t;});
  const ent=s.A.map(a=>a.map(r=>r.reduce((t,x)=>t-(x>0?x*Math.log2(x):0),0)).reduce((x,y)=>x+y)/s.m);let best={index:[0,0,0],value:-1};s.A.forEach((a,h)=>a.forEach((r,i)=>r.forEach((x,j)=>{if(i>0&&x>best.value)best={index:[h,i,j],value:x};})));
  const doc=structuredClone(s.doc);doc.mechanism.score={...(typeof doc.mechanism.score==='string'?{type:doc.mechanism.score}:doc.mechanism.score),scale:1/Math.sqrt(s.p)};
  return {directory:JSON.stringify({ok:true,tensors,labels:{m:s.qi.tokens,n:s.ki.tokens},warnings:[],measures:{weights:{rowSums:s.A.map(()=>1),entropy:ent,support:s.A.map(a=>a.map(r=>r.filter(x=>x>0).length).reduce((x,y)=>x+y)/s.m),largest:best}},document:doc}),data:Float32Array.from(list.flatMap(l=>flat(l[2])))};
 }catch(e){return {directory:JSON.stringify({ok:false,error:e.path!==undefined?e:{path:'',message:String(e)}}),data:new Float32Array()};}},
 explain(text,tensor,index){const s=compute(JSON.parse(text));const ix=JSON.parse(index);const [a,i,j]=ix;const all=(t,g,c)=>({tensor:t,group:g,cells:c});const R=k=>[...Array(k).keys()];
  if(tensor==='weights'){const ok=R(s.n).filter(q=>s.mask[i][q]);const T0=s.al.temperature??1;const terms=ok.map(q=>({label:s.ki.tokens[q],value:Math.exp(s.E[a][i][q]/T0),chosen:q===j}));return JSON.stringify({tensor,index:ix,value:s.A[a][i][j],formula:'A_{ij} = \\frac{\\exp(E_{ij}/T)}{\\sum_{k}\\exp(E_{ik}/T)}',numbers:`${s.A[a][i][j].toFixed(3)} = \\frac{${Math.exp(s.E[a][i][j]/T0).toFixed(2)}}{${terms.map(t=>t.value.toFixed(2)).join('+')}}`,feeds:[all('scores','outputs',ok.map(q=>[a,i,q])),all('mask','outputs',[[i,j]])],terms});}
  if(tensor==='scores')return JSON.stringify({tensor,index:ix,value:s.E[a][i][j],formula:'E_{ij} = q_i \\cdot k_j/\\sqrt{p}',numbers:s.E[a][i][j].toFixed(3),feeds:[all('query','outputs',R(s.p).map(q=>[a,i,q])),all('key','outputs',R(s.p).map(q=>[a,j,q]))]});
  if(tensor==='heads')return JSON.stringify({tensor,index:ix,value:s.H[a][i][j],formula:'C_{ij} = \\sum_k A_{ik} V_{kj}',numbers:s.H[a][i][j].toFixed(3),feeds:[all('weights','outputs',R(s.n).map(q=>[a,i,q])),all('value','outputs',R(s.n).map(q=>[a,q,j]))]});
  return JSON.stringify({tensor,index:ix,value:0,formula:'X_{ij}',numbers:'0',feeds:[]});}
});
