import sharp from 'sharp';
const [,, i, o, n='3'] = process.argv; const N=Number(n);
const {width, height} = await sharp(i).metadata(); const s=Math.ceil(height/N);
const parts = await Promise.all(Array.from({length:N},async(_,k)=>({input: await sharp(i).extract({left:0,top:k*s,width,height:Math.min(s,height-k*s)}).png().toBuffer(), left:k*(width+20), top:0})));
await sharp({create:{width:N*(width+20),height:s,channels:3,background:'#888'}}).composite(parts).png().toFile(o);
