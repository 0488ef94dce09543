/* first cut */
#include "schemes/event_driven.h"
#include "base/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double cpu(void){struct rusage r;getrusage(RUSAGE_SELF,&r);return r.ru_utime.tv_sec+1e-6*r.ru_utime.tv_usec;}

int main(int argc,char**argv)
{
  long n=argc>1?atol(argv[1]):10000; double vf=argc>2?atof(argv[2]):0.2; int dim=argc>3?atoi(argv[3]):2; long seed=argc>4?atol(argv[4]):1;
  double skin=argc>5?atof(argv[5]):0;
  environment env={default_allocate,NULL,NULL,NULL,1,""};
  particles table; particles_init(&table,&env);
  long side=lround(pow(n,1.0/dim)); n=dim==2?side*side:side*side*side;
  particles_reserve(&table,n);
  double radius=dim==2?sqrt(vf/M_PI):cbrt(vf*3/(4*M_PI));
  for(long k=0;k<n;k++){int64_t id;particles_append(&table,&id);
    double u[4];random_uniform4(seed,k,0,RANDOM_VELOCITY,0,u);
    table.column[COLUMN_x][k]=k%side+0.5;table.column[COLUMN_y][k]=k/side%side+0.5;
    table.column[COLUMN_z][k]=dim==3?k/side/side+0.5:0;
    table.column[COLUMN_vx][k]=u[0]-0.5;table.column[COLUMN_vy][k]=u[1]-0.5;table.column[COLUMN_vz][k]=dim==3?u[2]-0.5:0;
    table.column[COLUMN_radius][k]=radius;table.column[COLUMN_mass][k]=1;}
  domain box={.dimension=dim,.boundary={1,1,dim==3?1:0},.upper={side,side,side}};
  floc_event_driven_options o;floc_event_driven_options_init(&o); o.skin=skin*radius;
  scheme s; if(event_driven_create(&env,dim,&o,&s)){puts(env.message);return 1;}
  arena scratch;arena_init(&scratch,&env);
  floc_step_report report={0};
  double t=0,h=getenv("ONE")?atof(getenv("ONE")):getenv("VERBOSE")?5:1e9,start=cpu();
  for(int k=0;k<100000;k++){
    step_context c={.env=&env,.scratch=&scratch,.table=&table,.box=&box,.time=t,.time_step=h,.step=k,.report=&report};
    double before=cpu();
    if(s.step(s.state,&c)){puts(env.message);return 1;}
    t+=c.time_step;
    floc_event_driven_report r;event_driven_get_report(s.state,&r);
    if(getenv("VERBOSE"))printf("skin %g t %g clusters %ld events %ld second %ld stale %ld predictions %ld searches %ld exp %ld refl %ld queue %ld cpu %.3f E %g\n",*(double*)s.state*0,t,r.clusters,r.events,r.second_looks,r.stale,r.predictions,r.searches,r.expirations,r.reflections,r.queue_length,cpu()-before,report.kinetic_energy);
    if(r.clusters==1||(getenv("ONE")))break;
    if(k>20)h*=1.5;
  }
  floc_event_driven_report r;event_driven_get_report(s.state,&r);
  struct rusage u;getrusage(RUSAGE_SELF,&u);
  printf("N %ld t %g cpu %.3f s maxrss %ld MB events %ld second %ld stale %ld predictions %ld searches %ld exp %ld gap %g\n",n,t,cpu()-start,u.ru_maxrss/1024,r.events,r.second_looks,r.stale,r.predictions,r.searches,r.expirations,r.greatest_gap);
  s.destroy(s.state,&env);particles_free(&table);arena_free(&scratch);
}
